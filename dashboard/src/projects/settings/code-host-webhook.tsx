import { Button, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { CodeBlock } from "../../components/code-block.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { docent } from "../../docent.ts";
import { CODE_HOST_NAMES } from "../code-hosts.ts";
import { useProject } from "../project-context.tsx";
import { Part } from "./part.tsx";

/** How the code host tells the service of reviews, comments and merges. */
export function CodeHostWebhook({ codeHost }: { codeHost: "github" | "gitlab" | "gitea" }) {
  const { id } = useProject();
  const [isAsked, setAsked] = useState(false);
  const connect = useMutation({
    mutationFn: () => docent.webhooks.connectCodeHost(id),
    onSuccess: () => setAsked(false),
    gcTime: 0,
  });
  return (
    <Part
      title="Webhook"
      description={`With one, comments on ${CODE_HOST_NAMES[codeHost]} become follow-ups at once. Without, Docent only asks now and then what became of its pull requests.`}
    >
      {connect.data !== undefined && (
        <>
          <Text size="sm">
            Enter both where {CODE_HOST_NAMES[codeHost]} keeps its webhooks. The secret is not shown again.
          </Text>
          <CodeBlock code={connect.data.url} label="The webhook's address" />
          <CodeBlock code={connect.data.secret} label="The code host's secret" />
        </>
      )}
      <div>
        <Button variant="default" size="xs" onClick={() => setAsked(true)}>
          Make address and secret
        </Button>
      </div>
      <ConfirmDialog
        opened={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={() => connect.mutate()}
        title="Make a secret for the code host?"
        confirm="Make a secret"
        action={connect}
      >
        <Text>If there was one before, it stops counting at once.</Text>
      </ConfirmDialog>
    </Part>
  );
}
