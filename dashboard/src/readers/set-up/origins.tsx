import { Button, Group, Text, TextInput } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ErrorNotice } from "../../components/error-notice.tsx";
import { docent } from "../../docent.ts";
import { useProject } from "../../projects/project-context.tsx";
import { projectKey } from "../../projects/queries.ts";
import { useMay } from "../../session/session-context.tsx";

/** The sites whose browsers may report visits without a key, and a field to add one. */
export function Origins() {
  const { id, settings } = useProject();
  const origins = settings.analytics?.origins ?? [];
  const mayAdd = useMay("editor");
  return (
    <>
      {origins.map((origin) => (
        <Group key={origin} gap={6} wrap="nowrap">
          <IconCheck size={16} aria-label="Allowed:" role="img" />
          <bdi>{origin}</bdi>
        </Group>
      ))}
      {origins.length === 0 && (
        <Text size="sm" c="dimmed">
          No site is allowed yet{mayAdd ? "." : "; editors and owners can allow one."}
        </Text>
      )}
      {mayAdd && <AddOrigin projectId={id} />}
    </>
  );
}

function AddOrigin({ projectId }: { projectId: string }) {
  const client = useQueryClient();
  const [typed, setTyped] = useState("");
  const add = useMutation({
    async mutationFn(origin: string) {
      // Settings are replaced as a whole, so those that others have changed meanwhile go along.
      const { settings } = await docent.projects.get(projectId);
      const origins = [...new Set([...(settings.analytics?.origins ?? []), origin])];
      return docent.projects.update(projectId, {
        settings: { ...settings, analytics: { ...settings.analytics, origins } },
      });
    },
    onSuccess(project) {
      client.setQueryData(projectKey(projectId), project);
      setTyped("");
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim() !== "") add.mutate(originOf(typed.trim()));
      }}
    >
      <Group gap="xs" align="flex-end" my="xs">
        <TextInput
          label="The site's address"
          placeholder="https://docs.example.com"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          inputMode="url"
          style={{ flex: "1 1 14rem" }}
          maw="24rem"
        />
        <Button type="submit" variant="default" loading={add.isPending}>
          Allow
        </Button>
      </Group>
      {add.isError && <ErrorNotice error={add.error} />}
    </form>
  );
}

/** What browsers call the origin of an address; what is no address is for the service to refuse. */
function originOf(text: string): string {
  const address = /^[a-z][a-z+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  return URL.canParse(address) ? new URL(address).origin : text;
}
