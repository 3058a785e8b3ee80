import type { KeyScope, NewApiKey } from "@docent/sdk";
import { Button, Group, Modal, NativeSelect, Radio, Stack, TagsInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ErrorNotice } from "../components/error-notice.tsx";
import { docent } from "../docent.ts";
import { useNow } from "../components/now.ts";
import { EXPIRY_PRESETS, expiryOf, today, type ExpiryPreset } from "./expiry.ts";
import { NewKey } from "./new-key.tsx";
import { keysKey } from "./queries.ts";
import { SCOPES } from "./scopes.ts";

interface Values {
  name: string;
  scope: KeyScope;
  expiry: ExpiryPreset;
  day: string;
  cidrs: string[];
}

/** Makes a key, then shows it: this once. */
export function CreateKeyDialog({
  projectId,
  opened,
  onClose,
}: {
  projectId: string;
  opened: boolean;
  onClose(): void;
}) {
  const client = useQueryClient();
  const now = useNow();
  const form = useForm<Values>({
    initialValues: { name: "", scope: "write", expiry: "never", day: "", cidrs: [] },
    validate: {
      name: (name) => (name.trim() === "" ? "Name it after where it is used." : null),
      day: (day, { expiry }) => (expiry === "date" && day === "" ? "Choose the last day on which it works." : null),
    },
  });
  const create = useMutation({
    mutationFn: ({ name, scope, expiry, day, cidrs }: Values) =>
      docent.keys.create(projectId, { name, scope, cidrs, expiresAt: expiryOf(expiry, day, new Date()) }),
    onSuccess: () => client.invalidateQueries({ queryKey: keysKey(projectId) }),
    // The key itself is in the answer: nothing keeps it once it is off the screen.
    gcTime: 0,
  });
  const close = (): void => {
    onClose();
    create.reset();
    form.reset();
  };
  const made: NewApiKey | undefined = create.data;
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={made === undefined ? "New API key" : "Copy the key now"}
      size="lg"
      // A slip of the mouse would lose the key, or what was filled in.
      closeOnClickOutside={false}
      closeOnEscape={made === undefined}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {made === undefined ? (
        <form
          onSubmit={form.onSubmit(
            (values) => create.mutate(values),
            (errors) => form.getInputNode(Object.keys(errors)[0] ?? "")?.focus(),
          )}
          noValidate
        >
          <Stack>
            <TextInput
              label="Name"
              description="Where it is used, so that you know later what revoking it stops."
              placeholder="Release pipeline"
              required
              maxLength={200}
              dir="auto"
              data-autofocus
              {...form.getInputProps("name")}
            />
            <Radio.Group label="What it may do" {...form.getInputProps("scope")}>
              <Stack gap="xs" mt="xs">
                {SCOPES.map(({ scope, label, description }) => (
                  <Radio key={scope} value={scope} label={label} description={description} />
                ))}
              </Stack>
            </Radio.Group>
            <Group align="flex-start" grow preventGrowOverflow={false}>
              <NativeSelect label="Expires" data={[...EXPIRY_PRESETS]} {...form.getInputProps("expiry")} />
              {form.values.expiry === "date" && (
                <TextInput type="date" label="Last day" min={today(now)} required {...form.getInputProps("day")} />
              )}
            </Group>
            <TagsInput
              label="Only from these addresses"
              description="IPv4 or IPv6 addresses and ranges, like 203.0.113.0/24. Empty: from everywhere."
              splitChars={[",", " ", "\n"]}
              maxTags={100}
              {...form.getInputProps("cidrs")}
            />
            {create.isError && <ErrorNotice error={create.error} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" loading={create.isPending}>
                Create the key
              </Button>
            </Group>
          </Stack>
        </form>
      ) : (
        <NewKey made={made} projectId={projectId} onDone={close} />
      )}
    </Modal>
  );
}
