import type { Visitor } from "@docent/sdk";
import { Button, Group, NativeSelect, SimpleGrid, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { docent } from "../../docent.ts";
import { useProject } from "../project-context.tsx";
import { Part } from "./part.tsx";

/** Deletes what is stored of one reader, who asked for it. */
export function EraseVisitor() {
  const { id } = useProject();
  const [by, setBy] = useState<"id" | "client">("id");
  const [visitorId, setVisitorId] = useState("");
  const [ip, setIp] = useState("");
  const [userAgent, setUserAgent] = useState("");
  const [isAsked, setAsked] = useState(false);
  const visitor: Visitor = by === "id" ? { visitorId } : { ip: ip.trim(), userAgent };
  const isReady = by === "id" ? visitorId !== "" : ip.trim() !== "";
  const erase = useMutation({
    mutationFn: () => docent.visits.erase(id, visitor),
    onSuccess() {
      setAsked(false);
      setVisitorId("");
      setIp("");
      setUserAgent("");
    },
  });
  return (
    <Part
      title="Erase a visitor"
      description="Deletes all views of one reader and counts anew. With ids that change daily or monthly, only the periods whose secret is still there can be found."
    >
      <NativeSelect
        label="Known by"
        data={[
          { value: "id", label: "The site's own id" },
          { value: "client", label: "Address and user agent" },
        ]}
        value={by}
        onChange={(event) => setBy(event.currentTarget.value as typeof by)}
      />
      {by === "id" ? (
        <TextInput
          label="Visitor id"
          maxLength={500}
          autoComplete="off"
          value={visitorId}
          onChange={(event) => setVisitorId(event.currentTarget.value)}
        />
      ) : (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            label="Address"
            placeholder="203.0.113.7"
            value={ip}
            onChange={(event) => setIp(event.currentTarget.value)}
          />
          <TextInput
            label="User agent"
            description="The whole header; empty for none."
            value={userAgent}
            onChange={(event) => setUserAgent(event.currentTarget.value)}
          />
        </SimpleGrid>
      )}
      {erase.isSuccess && (
        <Text size="sm" role="status">
          Nothing is stored of this visitor any more.
        </Text>
      )}
      <Group>
        <Button
          variant="default"
          size="xs"
          disabled={!isReady}
          onClick={() => {
            erase.reset();
            setAsked(true);
          }}
        >
          Erase the visitor
        </Button>
      </Group>
      <ConfirmDialog
        opened={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={() => erase.mutate()}
        title="Erase this visitor?"
        confirm="Erase"
        action={erase}
      >
        <Text>All views of this reader are deleted, for good. It may take minutes.</Text>
      </ConfirmDialog>
    </Part>
  );
}
