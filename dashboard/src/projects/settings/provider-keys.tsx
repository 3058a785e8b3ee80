import { Badge, Button, Group, Modal, PasswordInput, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Age } from "../../components/age.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { ErrorNotice } from "../../components/error-notice.tsx";
import { Row, Rows } from "../../components/rows.tsx";
import { docent } from "../../docent.ts";
import { useProject } from "../project-context.tsx";
import { credentialsKey, useCredentials } from "./credentials.ts";
import { Part } from "./part.tsx";

const PROVIDERS = [
  { name: "model-anthropic", label: "Anthropic" },
  { name: "model-openai", label: "OpenAI" },
  { name: "model-google", label: "Google" },
  { name: "model-bedrock", label: "Amazon Bedrock" },
  { name: "model-openai-compatible", label: "OpenAI-compatible" },
] as const;

type Provider = (typeof PROVIDERS)[number];

/** The project's own keys for models' providers: used instead of the server's. */
export function ProviderKeys() {
  const { id } = useProject();
  const client = useQueryClient();
  const credentials = useCredentials(id);
  const [storing, setStoring] = useState<Provider | null>(null);
  const [removing, setRemoving] = useState<Provider | null>(null);
  const remove = useMutation({
    mutationFn: ({ name }: Provider) => docent.credentials.remove(id, name),
    onSuccess: () => setRemoving(null),
    onSettled: () => client.invalidateQueries({ queryKey: credentialsKey(id) }),
  });
  return (
    <Part
      title="Providers' keys"
      description="For this project alone, instead of the server's. Stored encrypted, never shown."
    >
      {credentials.isError && credentials.data === undefined && (
        <ErrorNotice error={credentials.error} onRetry={() => void credentials.refetch()} />
      )}
      {credentials.data !== undefined && (
        <Rows label="Providers' keys">
          {PROVIDERS.map((provider) => {
            const stored = credentials.data.find(({ name }) => name === provider.name);
            return (
              <Row
                key={provider.name}
                title={
                  <>
                    <Text component="span">{provider.label}</Text>
                    {stored !== undefined && (
                      <Badge variant="light" color="green" tt="none">
                        stored
                      </Badge>
                    )}
                  </>
                }
                facts={
                  stored === undefined ? (
                    <span>Uses the server's key, if it has one</span>
                  ) : (
                    <Age at={stored.updatedAt} />
                  )
                }
                actions={
                  <>
                    <Button
                      variant="default"
                      size="xs"
                      aria-label={`${stored === undefined ? "Add" : "Replace"} the key of ${provider.label}`}
                      onClick={() => setStoring(provider)}
                    >
                      {stored === undefined ? "Add" : "Replace"}
                    </Button>
                    {stored !== undefined && (
                      <Button
                        variant="default"
                        size="xs"
                        aria-label={`Remove the key of ${provider.label}`}
                        onClick={() => setRemoving(provider)}
                      >
                        Remove
                      </Button>
                    )}
                  </>
                }
              />
            );
          })}
        </Rows>
      )}
      <StoreKeyDialog key={storing?.name} provider={storing} projectId={id} onClose={() => setStoring(null)} />
      <ConfirmDialog
        opened={removing !== null}
        onClose={() => setRemoving(null)}
        onConfirm={() => removing !== null && remove.mutate(removing)}
        title="Remove this key?"
        confirm="Remove the key"
        action={remove}
      >
        <Text>
          Jobs that use {removing?.label} go on with the server's key, or fail where it has none. The key itself stays
          valid: revoke it at the provider if it is not needed any more.
        </Text>
      </ConfirmDialog>
    </Part>
  );
}

function StoreKeyDialog({
  provider,
  projectId,
  onClose,
}: {
  provider: Provider | null;
  projectId: string;
  onClose(): void;
}) {
  const client = useQueryClient();
  const [value, setValue] = useState("");
  const store = useMutation({
    mutationFn: ({ name }: Provider) => docent.credentials.store(projectId, name, { value }),
    onSuccess(_answer, { label }) {
      onClose();
      notifications.show({ message: `The key of ${label} is saved.` });
      return client.invalidateQueries({ queryKey: credentialsKey(projectId) });
    },
  });
  return (
    <Modal
      opened={provider !== null}
      onClose={onClose}
      title={`Key of ${provider?.label ?? "a provider"}`}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (provider !== null) store.mutate(provider);
        }}
      >
        <Stack>
          <PasswordInput
            label="Key"
            required
            autoComplete="off"
            maxLength={20_000}
            data-autofocus
            value={value}
            onChange={(event) => setValue(event.currentTarget.value)}
          />
          {store.isError && <ErrorNotice error={store.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={store.isPending}>
              Save the key
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
