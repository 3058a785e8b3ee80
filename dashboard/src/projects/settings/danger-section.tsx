import { Button, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { docent } from "../../docent.ts";
import { useMay } from "../../session/session-context.tsx";
import { useProject } from "../project-context.tsx";
import { EraseVisitor } from "./erase-visitor.tsx";
import { Part } from "./part.tsx";
import { RebuildCounts } from "./rebuild-counts.tsx";

/** What takes long or cannot be undone. */
export function DangerSection() {
  return (
    <>
      <RebuildCounts />
      <EraseVisitor />
      <DeleteProject />
    </>
  );
}

function DeleteProject() {
  const { id, name } = useProject();
  const isOwner = useMay("owner");
  const [isAsked, setAsked] = useState(false);
  const [typed, setTyped] = useState("");
  const remove = useMutation({
    mutationFn: () => docent.projects.delete(id),
    // Loaded anew: what is open here would still ask for the project while the other page comes.
    onSuccess: () => location.assign("/projects"),
  });
  return (
    <Part
      title="Delete the project"
      description="Its keys stop working, its jobs are archived, and its numbers are gone from every page. The repository itself stays where it lies."
    >
      {isOwner ? (
        <div>
          <Button
            color="red.8"
            onClick={() => {
              setTyped("");
              setAsked(true);
            }}
          >
            Delete the project
          </Button>
        </div>
      ) : (
        <Text size="sm">Only owners delete projects.</Text>
      )}
      <ConfirmDialog
        opened={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={() => remove.mutate()}
        title="Delete this project?"
        confirm="Delete the project"
        action={remove}
        isReady={typed.trim() === name.trim()}
      >
        <Text>
          This cannot be undone. Type <b dir="auto">{name}</b> to go on.
        </Text>
        <TextInput
          label="Name of the project"
          data-autofocus
          autoComplete="off"
          dir="auto"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </ConfirmDialog>
    </Part>
  );
}
