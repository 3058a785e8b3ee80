import { Button, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Age } from "../../components/age.tsx";
import { CodeBlock } from "../../components/code-block.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { docent } from "../../docent.ts";
import { useProject } from "../project-context.tsx";
import { Part } from "./part.tsx";

/** Makes the secret that deliveries are signed with. */
export function WebhookSecret() {
  const { id } = useProject();
  const [isAsked, setAsked] = useState(false);
  const rotate = useMutation({
    mutationFn: () => docent.webhooks.rotateSecret(id),
    onSuccess: () => setAsked(false),
    gcTime: 0,
  });
  return (
    <Part title="Secret" description="Receivers verify deliveries with it, by any library of Standard Webhooks.">
      {rotate.data !== undefined && (
        <>
          <Text size="sm">Copy it now: it is not shown again.</Text>
          <CodeBlock code={rotate.data.secret} label="The webhook secret" />
          {rotate.data.previousUntil !== null && (
            <Text size="sm" c="dimmed">
              Deliveries carry the signature of the one before, too; it ends <Age at={rotate.data.previousUntil} />.
            </Text>
          )}
        </>
      )}
      <div>
        <Button variant="default" size="xs" onClick={() => setAsked(true)}>
          Make a new secret
        </Button>
      </div>
      <ConfirmDialog
        opened={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={() => rotate.mutate()}
        title="Make a new webhook secret?"
        confirm="Make a new secret"
        action={rotate}
      >
        <Text>
          If there is one already, deliveries are signed with both for another 24 hours: give the new one to the
          receiver by then.
        </Text>
      </ConfirmDialog>
    </Part>
  );
}
