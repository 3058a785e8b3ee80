import type { User } from "@docent/sdk";
import { Button, Group, Modal, Radio, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Age } from "../components/age.tsx";
import { CodeBlock } from "../components/code-block.tsx";
import { ErrorNotice } from "../components/error-notice.tsx";
import { docent } from "../docent.ts";
import { INVITATIONS } from "./queries.ts";
import { ROLES } from "./roles.ts";

interface Values {
  role: User["role"];
  email: string;
}

/** Makes a link with which somebody makes an account, and shows it: this once. */
export function InviteDialog({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const client = useQueryClient();
  const form = useForm<Values>({ initialValues: { role: "editor", email: "" } });
  const invite = useMutation({
    mutationFn: ({ role, email }: Values) =>
      docent.invitations.create({ role, ...(email.trim() === "" ? {} : { email: email.trim() }) }),
    onSuccess: () => client.invalidateQueries({ queryKey: INVITATIONS }),
    // Whoever has the link can use it: nothing keeps it once it is off the screen.
    gcTime: 0,
  });
  const close = (): void => {
    onClose();
    invite.reset();
    form.reset();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={invite.data === undefined ? "Invite somebody" : "Send them this link"}
      closeOnClickOutside={false}
      closeOnEscape={invite.data === undefined}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {invite.data === undefined ? (
        <form onSubmit={form.onSubmit((values) => invite.mutate(values))}>
          <Stack>
            <Radio.Group label="Role" {...form.getInputProps("role")}>
              <Stack gap="xs" mt="xs">
                {ROLES.map(({ role, label, description }) => (
                  <Radio key={role} value={role} label={label} description={description} />
                ))}
              </Stack>
            </Radio.Group>
            <TextInput
              label="E-mail"
              description="Only an account with this address can be made. Empty: whoever has the link chooses."
              type="email"
              maxLength={320}
              autoComplete="off"
              {...form.getInputProps("email")}
            />
            {invite.isError && <ErrorNotice error={invite.error} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" loading={invite.isPending}>
                Make the link
              </Button>
            </Group>
          </Stack>
        </form>
      ) : (
        <Stack>
          <Text>
            It works once and ends <Age at={invite.data.expiresAt} />. Docent sends no e-mail: pass it on by a way that
            you trust. It is not shown again.
          </Text>
          <CodeBlock code={invite.data.url} label="The invitation's link" />
          <Group justify="flex-end">
            <Button onClick={close}>I have copied it</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
