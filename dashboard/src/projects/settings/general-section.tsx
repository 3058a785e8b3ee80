import { Anchor, Group, Text, TextInput } from "@mantine/core";
import { CopyButton } from "../../components/copy-button.tsx";
import { CODE_HOST_NAMES } from "../code-hosts.ts";
import { useProject } from "../project-context.tsx";
import { useSettingsForm } from "./form.ts";
import { ListField } from "./list-field.tsx";
import { Part } from "./part.tsx";

/** What the project is called and which branch it works on. */
export function GeneralSection() {
  const { id, codeHost, repository, state } = useProject();
  const form = useSettingsForm();
  return (
    <>
      <TextInput
        label="Name"
        description="For people."
        required
        maxLength={200}
        dir="auto"
        {...form.getInputProps("name")}
      />
      <TextInput
        label="Base branch"
        description="Jobs start from it, and pull requests go to it."
        maxLength={255}
        spellCheck={false}
        disabled={state === "importing"}
        {...form.getInputProps("ref")}
      />
      <ListField
        field="settings.allowedRefs"
        label="Other branches that a job may start from"
        description="Branches or globs, like release/*. None when empty."
        max={50}
      />
      <Part
        title="Repository"
        description={`On ${CODE_HOST_NAMES[codeHost]}. It stays the same for the project's whole life.`}
      >
        <Group gap={4} wrap="nowrap">
          {codeHost === "builtin" ? (
            <Text className="docent-mono">{repository}</Text>
          ) : (
            <Anchor className="docent-mono" href={repository} target="_blank" rel="noreferrer">
              {repository}
            </Anchor>
          )}
          <CopyButton value={repository} label="Copy the repository's address" />
        </Group>
        {codeHost === "builtin" && (
          <Text size="sm" c="dimmed">
            Clone it with an API key as the password; any user name will do.
          </Text>
        )}
        <Group gap={4} wrap="nowrap">
          <Text size="sm" c="dimmed" component="span">
            Project id
          </Text>
          <Text className="docent-mono" component="span">
            {id}
          </Text>
          <CopyButton value={id} label="Copy the project id" />
        </Group>
      </Part>
    </>
  );
}
