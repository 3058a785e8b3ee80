import { Button, Group, PasswordInput, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ErrorNotice } from "../components/error-notice.tsx";
import { docent } from "../docent.ts";
import { PASSWORD_CHARACTERS_MIN, passwordProblem } from "../session/password.ts";
import { SESSIONS } from "./queries.ts";

export function PasswordForm({ email }: { email: string }) {
  const client = useQueryClient();
  const form = useForm({
    initialValues: { currentPassword: "", newPassword: "" },
    validate: { newPassword: passwordProblem },
  });
  const change = useMutation({
    mutationFn: (values: typeof form.values) => docent.account.changePassword(values),
    onSuccess() {
      form.reset();
      notifications.show({ message: "The password is changed. Everywhere else you are signed out." });
      return client.invalidateQueries({ queryKey: SESSIONS });
    },
    // What was sent holds both passwords.
    gcTime: 0,
  });
  return (
    <form onSubmit={form.onSubmit((values) => change.mutate(values))}>
      <Stack gap="sm">
        {/* For password managers: whose password this is. */}
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          required
          {...form.getInputProps("currentPassword")}
        />
        <PasswordInput
          label="New password"
          description={`At least ${PASSWORD_CHARACTERS_MIN} characters. All your other sessions end.`}
          autoComplete="new-password"
          required
          maxLength={200}
          {...form.getInputProps("newPassword")}
        />
        {change.isError && <ErrorNotice error={change.error} />}
        <Group>
          <Button type="submit" loading={change.isPending}>
            Change the password
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
