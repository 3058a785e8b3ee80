import { Button, Group, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { CodeBlock } from "../../components/code-block.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { ErrorNotice } from "../../components/error-notice.tsx";
import { docent } from "../../docent.ts";
import { useProject } from "../project-context.tsx";
import { credentialsKey, useCredentials } from "./credentials.ts";
import { Part } from "./part.tsx";

/** The public half of the key that signs the project's commits. */
export function SigningKey() {
  const { id } = useProject();
  const client = useQueryClient();
  const credentials = useCredentials(id);
  const stored = credentials.data?.find(({ name }) => name === "signing-key");
  const key = useQuery({
    queryKey: [...credentialsKey(id), "signing-key", stored?.updatedAt],
    queryFn: ({ signal }) => docent.credentials.getSigningKey(id, { signal }),
    enabled: stored !== undefined,
  });
  const [asked, setAsked] = useState<"replace" | "remove" | null>(null);
  const settled = (): Promise<void> => client.invalidateQueries({ queryKey: credentialsKey(id) });
  const make = useMutation({
    mutationFn: () => docent.credentials.createSigningKey(id),
    onSuccess: () => setAsked(null),
    onSettled: settled,
  });
  const remove = useMutation({
    mutationFn: () => docent.credentials.remove(id, "signing-key"),
    onSuccess: () => setAsked(null),
    onSettled: settled,
  });
  return (
    <Part
      title="Signing key"
      description="An Ed25519 key of SSH. Register its public half as a signing key of the account whose e-mail the commits bear; the private half never leaves the server."
    >
      {credentials.isError && <ErrorNotice error={credentials.error} onRetry={() => void credentials.refetch()} />}
      {key.isError && <ErrorNotice error={key.error} onRetry={() => void key.refetch()} />}
      {make.isError && asked === null && <ErrorNotice error={make.error} />}
      {stored === undefined ? (
        <div>
          <Button variant="default" size="xs" loading={make.isPending} onClick={() => make.mutate()}>
            Make a signing key
          </Button>
        </div>
      ) : (
        <>
          {key.data !== undefined && <CodeBlock code={key.data.publicKey} label="The public key" />}
          <Group>
            <Button variant="default" size="xs" onClick={() => setAsked("replace")}>
              Replace the key
            </Button>
            <Button variant="default" size="xs" onClick={() => setAsked("remove")}>
              Remove the key
            </Button>
          </Group>
        </>
      )}
      <ConfirmDialog
        opened={asked !== null}
        onClose={() => setAsked(null)}
        onConfirm={() => (asked === "remove" ? remove : make).mutate()}
        title={asked === "remove" ? "Remove the signing key?" : "Replace the signing key?"}
        confirm={asked === "remove" ? "Remove" : "Replace"}
        action={asked === "remove" ? remove : make}
      >
        <Text>
          {asked === "remove"
            ? "Jobs whose commits are to be signed fail from now on, until there is a new key or signing is switched off."
            : "The code host does not know the new key until you register it there. Commits that the old one signed stay as they are."}
        </Text>
      </ConfirmDialog>
    </Part>
  );
}
