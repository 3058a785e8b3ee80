import type { ApiKey } from "@docent/sdk";
import { Badge, Button, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Age } from "../components/age.tsx";
import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { useNow } from "../components/now.ts";
import { Row, Rows } from "../components/rows.tsx";
import { docent } from "../docent.ts";
import { expiryState } from "./expiry.ts";
import { keysKey } from "./queries.ts";

/** The project's keys, each with what tells it from the others. */
export function KeyList({
  keys,
  projectId,
  mayRevoke,
}: {
  keys: readonly ApiKey[];
  projectId: string;
  mayRevoke: boolean;
}) {
  const [chosen, setChosen] = useState<ApiKey | null>(null);
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: (key: ApiKey) => docent.keys.revoke(projectId, key.id),
    onSuccess: (_answer, key) => {
      setChosen(null);
      notifications.show({ message: `The key ${key.name} is revoked.` });
    },
    onSettled: () => client.invalidateQueries({ queryKey: keysKey(projectId) }),
  });
  return (
    <>
      <Rows label="API keys">
        {keys.map((key) => (
          <Row
            key={key.id}
            title={
              <>
                <Text fw={600} dir="auto" component="span">
                  {key.name}
                </Text>
                <Badge variant="light" color="gray" tt="none">
                  {key.scope}
                </Badge>
                <ExpiryBadge apiKey={key} />
              </>
            }
            facts={<Facts apiKey={key} />}
            actions={
              mayRevoke && (
                <Button
                  variant="default"
                  size="xs"
                  aria-label={`Revoke the key ${key.name}`}
                  onClick={() => setChosen(key)}
                >
                  Revoke
                </Button>
              )
            }
          />
        ))}
      </Rows>
      <ConfirmDialog
        opened={chosen !== null}
        onClose={() => setChosen(null)}
        onConfirm={() => chosen !== null && revoke.mutate(chosen)}
        title="Revoke this key?"
        confirm="Revoke the key"
        action={revoke}
      >
        <Text>
          <bdi>{chosen?.name}</bdi> (<span className="docent-mono">{chosen?.start}…</span>) stops working at once, for
          everybody who has it. This cannot be undone.
        </Text>
      </ConfirmDialog>
    </>
  );
}

function Facts({ apiKey: { start, createdAt, lastUsedAt, expiresAt, cidrs } }: { apiKey: ApiKey }) {
  const now = useNow();
  return (
    <>
      <span className="docent-mono">{start}…</span>
      <span>
        made <Age at={createdAt} />
      </span>
      <span>{lastUsedAt === null ? "never used" : <>last used {<Age at={lastUsedAt} />}</>}</span>
      {expiresAt !== null && (
        <span>
          {new Date(expiresAt) <= now ? "expired" : "expires"} <Age at={expiresAt} />
        </span>
      )}
      {cidrs.length > 0 && <span>only from {cidrs.join(", ")}</span>}
    </>
  );
}

function ExpiryBadge({ apiKey }: { apiKey: ApiKey }) {
  const state = expiryState(apiKey, useNow());
  if (state === "expired") {
    return (
      <Badge variant="light" color="red" tt="none">
        expired
      </Badge>
    );
  }
  if (state === "soon") {
    return (
      <Badge variant="light" color="yellow" tt="none">
        expires soon
      </Badge>
    );
  }
  return null;
}
