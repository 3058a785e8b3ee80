import { Button, Group, Text } from "@mantine/core";
import { IconKey } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { CopyButton } from "../../components/copy-button.tsx";
import { ErrorNotice } from "../../components/error-notice.tsx";
import { docent } from "../../docent.ts";
import { keysKey } from "../../keys/queries.ts";
import { useMay } from "../../session/session-context.tsx";

/** Makes a key that can report visits and nothing else, for the texts beside it. */
export function CollectKey({
  projectId,
  made,
  onMade,
}: {
  projectId: string;
  made: string | null;
  onMade: (key: string) => void;
}) {
  const mayMake = useMay("editor");
  const client = useQueryClient();
  const make = useMutation({
    mutationFn: () => docent.keys.create(projectId, { name: "Visits", scope: "collect" }),
    onSuccess({ key }) {
      onMade(key);
      return client.invalidateQueries({ queryKey: keysKey(projectId) });
    },
  });
  if (made !== null) {
    return (
      <Group gap={4} my="xs" wrap="nowrap">
        <Text size="sm">
          The key is in the text below. Copy it now: it is not shown again. <code className="docent-mono">{made}</code>
        </Text>
        <CopyButton value={made} label="Copy the key" />
      </Group>
    );
  }
  if (!mayMake) {
    return (
      <Text size="sm" c="dimmed" my="xs">
        Editors and owners can make one: a key of the scope collect.
      </Text>
    );
  }
  return (
    <div>
      <Button
        variant="default"
        size="xs"
        my="xs"
        leftSection={<IconKey size={16} aria-hidden />}
        loading={make.isPending}
        onClick={() => make.mutate()}
      >
        Make a key
      </Button>
      {make.isError && <ErrorNotice error={make.error} />}
    </div>
  );
}
