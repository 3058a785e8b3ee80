import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useSettingsForm } from "./form.ts";
import { Part } from "./part.tsx";
import classes from "./settings.module.css";

const REPOSITORIES_MAX = 10;
const FIELD = "settings.contextRepositories";

/** Repositories that the agent may read beside the documentation. */
export function ContextRepositories() {
  const form = useSettingsForm();
  const repositories = form.values.settings.contextRepositories;
  return (
    <Part
      title="Repositories to read beside"
      description="The product's source, for example. The agent reads their files under @name/ and never writes them."
    >
      {repositories.map((_repository, index) => (
        // The place is what tells them apart while they are being written.
        // oxlint-disable-next-line react/no-array-index-key
        <Stack key={index} gap="xs" className={classes.repository}>
          <Group grow align="flex-start">
            <TextInput
              label="Name"
              required
              maxLength={50}
              spellCheck={false}
              {...form.getInputProps(`${FIELD}.${index}.name`)}
            />
            <TextInput
              label="Branch"
              placeholder="its default"
              maxLength={255}
              spellCheck={false}
              {...form.getInputProps(`${FIELD}.${index}.ref`)}
            />
          </Group>
          <TextInput
            label="Git URL"
            placeholder="https://github.com/you/api"
            required
            maxLength={2_000}
            spellCheck={false}
            {...form.getInputProps(`${FIELD}.${index}.url`)}
          />
          <Group justify="flex-end">
            <Button
              variant="default"
              size="xs"
              aria-label={`Remove repository ${index + 1}`}
              onClick={() => form.removeListItem(FIELD, index)}
            >
              Remove
            </Button>
          </Group>
        </Stack>
      ))}
      {typeof form.errors[FIELD] === "string" && (
        <Text c="var(--mantine-color-error)" size="sm">
          {form.errors[FIELD]}
        </Text>
      )}
      <div>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={repositories.length >= REPOSITORIES_MAX}
          onClick={() => form.insertListItem(FIELD, { name: "", url: "", ref: "" })}
        >
          Add a repository
        </Button>
      </div>
    </Part>
  );
}
