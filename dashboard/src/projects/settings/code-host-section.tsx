import { Button, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Age } from "../../components/age.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { ErrorNotice } from "../../components/error-notice.tsx";
import { docent } from "../../docent.ts";
import { CODE_HOST_NAMES } from "../code-hosts.ts";
import { CredentialFields, credentialOf, isCredentialComplete, NO_CREDENTIAL } from "../credential-fields.tsx";
import { useProject } from "../project-context.tsx";
import { CodeHostWebhook } from "./code-host-webhook.tsx";
import { credentialsKey, useCredentials } from "./credentials.ts";
import { Part } from "./part.tsx";

/** What the project signs in with where its repository lies, and how it hears from there. */
export function CodeHostSection() {
  const { codeHost } = useProject();
  if (codeHost === "builtin") {
    return (
      <Text>
        The repository lies in Docent's own host. It needs no credential and no webhook: people push and clone with an
        API key, and Docent knows of every merge by itself.
      </Text>
    );
  }
  return (
    <>
      <Credential codeHost={codeHost} />
      <CodeHostWebhook codeHost={codeHost} />
    </>
  );
}

function Credential({ codeHost }: { codeHost: "github" | "gitlab" | "gitea" }) {
  const { id } = useProject();
  const client = useQueryClient();
  const credentials = useCredentials(id);
  const stored = credentials.data?.find(({ name }) => name === "code-host");
  const [values, setValues] = useState(NO_CREDENTIAL);
  const [isRemoving, setRemoving] = useState(false);
  const settled = (): Promise<void> => client.invalidateQueries({ queryKey: credentialsKey(id) });
  const replace = useMutation({
    mutationFn: async () => {
      const credential = credentialOf(values);
      if (credential !== undefined) await docent.projects.update(id, { credential });
    },
    onSuccess() {
      setValues(NO_CREDENTIAL);
      notifications.show({ message: "The credential works and is stored." });
    },
    onSettled: settled,
  });
  const remove = useMutation({
    mutationFn: () => docent.credentials.remove(id, "code-host"),
    onSuccess: () => setRemoving(false),
    onSettled: settled,
  });
  return (
    <Part
      title="Credential"
      description={
        stored === undefined ? (
          `The project has none of its own for ${CODE_HOST_NAMES[codeHost]}: the server's is used.`
        ) : (
          <>
            Stored <Age at={stored.updatedAt} />. A new one replaces it once it has proved that it may read and push.
          </>
        )
      }
    >
      {credentials.isError && <ErrorNotice error={credentials.error} onRetry={() => void credentials.refetch()} />}
      <CredentialFields codeHost={codeHost} values={values} onChange={setValues} withServer={false} />
      {replace.isError && <ErrorNotice error={replace.error} />}
      <div style={{ display: "flex", gap: "var(--mantine-spacing-xs)", flexWrap: "wrap" }}>
        <Button loading={replace.isPending} disabled={!isCredentialComplete(values)} onClick={() => replace.mutate()}>
          Check and store
        </Button>
        {stored !== undefined && (
          <Button variant="default" onClick={() => setRemoving(true)}>
            Remove the stored one
          </Button>
        )}
      </div>
      <ConfirmDialog
        opened={isRemoving}
        onClose={() => setRemoving(false)}
        onConfirm={() => remove.mutate()}
        title="Remove the credential?"
        confirm="Remove"
        action={remove}
      >
        <Text>From then on the server's own is used. Where it has none, jobs of this project fail.</Text>
      </ConfirmDialog>
    </Part>
  );
}
