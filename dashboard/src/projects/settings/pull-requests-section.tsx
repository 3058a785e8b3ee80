import { NativeSelect, SimpleGrid, Switch, TextInput } from "@mantine/core";
import { useSettingsForm } from "./form.ts";
import { ListField } from "./list-field.tsx";
import { SigningKey } from "./signing-key.tsx";

/** How pull requests are opened, whose name their commits bear, and what follows from their end. */
export function PullRequestsSection() {
  const form = useSettingsForm();
  const toggle = (field: string) => form.getInputProps(field, { type: "checkbox" });
  return (
    <>
      <Switch
        label="Open as drafts"
        description="A job may say otherwise."
        {...toggle("settings.pullRequests.draft")}
      />
      <ListField field="settings.pullRequests.labels" label="Labels" description="That pull requests get." max={20} />
      <ListField
        field="settings.pullRequests.reviewers"
        label="Reviewers"
        description="Login names; on GitHub also team:slug."
        max={15}
      />
      <NativeSelect
        label="Reviews and comments"
        description="Of people who may push, on a job's pull request: reviews, and comments that mention Docent."
        data={[
          { value: "follow", label: "Become follow-ups of the job" },
          { value: "ignore", label: "Are left alone" },
        ]}
        {...form.getInputProps("settings.comments")}
      />
      <Switch label="Archive the job when its pull request is merged" {...toggle("settings.archiveOnMerge")} />
      <Switch
        label="Archive the job when its pull request is closed without a merge"
        {...toggle("settings.archiveOnClose")}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="Author of commits"
          description="Docent when empty."
          maxLength={200}
          dir="auto"
          {...form.getInputProps("settings.commits.name")}
        />
        <TextInput
          label="Author's e-mail"
          description="Goes with the name."
          type="email"
          maxLength={320}
          {...form.getInputProps("settings.commits.email")}
        />
      </SimpleGrid>
      <ListField
        field="settings.commits.coAuthors"
        label="Co-authors"
        description="As Name <email>."
        placeholder="Ada <ada@example.com>"
        max={20}
      />
      <Switch
        label="Add Signed-off-by"
        description="Developer Certificate of Origin."
        {...toggle("settings.commits.signOff")}
      />
      <Switch
        label="Sign commits"
        description="With the project's key below, which has to be made first."
        {...toggle("settings.commits.sign")}
      />
      <SigningKey />
    </>
  );
}
