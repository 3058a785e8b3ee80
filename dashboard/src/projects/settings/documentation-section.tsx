import { NativeSelect, Textarea, TextInput } from "@mantine/core";
import { ContextRepositories } from "./context-repositories.tsx";
import { useSettingsForm } from "./form.ts";
import { ListField } from "./list-field.tsx";

/** Where the documentation is, what may be published of it, and how the agent is to write. */
export function DocumentationSection() {
  const form = useSettingsForm();
  return (
    <>
      <TextInput
        label="Documentation folder"
        description="In the repository, like docs or packages/site. Found by itself when empty."
        maxLength={1_000}
        spellCheck={false}
        {...form.getInputProps("settings.docsPath")}
      />
      <Textarea
        label="Instructions for the agent"
        description="Tone, terms, what to leave alone. They come before those in the repository's AGENTS.md."
        autosize
        minRows={5}
        maxRows={24}
        maxLength={50_000}
        dir="auto"
        {...form.getInputProps("settings.instructions")}
      />
      <ListField
        field="settings.allow"
        label="More files that may be published"
        description="Path globs, like examples/**/*.json. Pages, their navigation and images in the folder always may."
        max={100}
      />
      <NativeSelect
        label="New code in MDX pages"
        description="Imports from outside the documentation, exports and expressions that a job adds."
        data={[
          { value: "list", label: "Name it in the pull request" },
          { value: "refuse", label: "Refuse it" },
        ]}
        {...form.getInputProps("settings.newMdxCode")}
      />
      <ContextRepositories />
    </>
  );
}
