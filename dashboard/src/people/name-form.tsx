import { Button, Group, Stack, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ErrorNotice } from "../components/error-notice.tsx";
import { docent } from "../docent.ts";
import { SESSION } from "../query-client.ts";
import { ACCOUNT } from "./queries.ts";

export function NameForm({ name }: { name: string }) {
  const client = useQueryClient();
  const [value, setValue] = useState(name);
  const save = useMutation({
    mutationFn: () => docent.account.update({ name: value.trim() }),
    async onSuccess(account) {
      client.setQueryData(ACCOUNT, account);
      notifications.show({ message: "Saved." });
      await client.invalidateQueries({ queryKey: SESSION });
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <Stack gap="sm">
        <TextInput
          label="What others see"
          required
          maxLength={200}
          dir="auto"
          autoComplete="name"
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
        />
        {save.isError && <ErrorNotice error={save.error} />}
        <Group>
          <Button type="submit" loading={save.isPending} disabled={value.trim() === "" || value.trim() === name.trim()}>
            Save the name
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
