import { Checkbox, Group, NativeSelect, NumberInput, Text } from "@mantine/core";
import { useProject } from "../project-context.tsx";
import { useSettingsForm } from "./form.ts";
import { ListField } from "./list-field.tsx";

const SOURCES = [
  { source: "tracker", label: "Tracker" },
  { source: "middleware", label: "Middleware" },
  { source: "log", label: "Logs" },
  { source: "api", label: "API" },
] as const;

/** How readers are counted. */
export function ReadersSection() {
  const { settings } = useProject();
  const form = useSettingsForm();
  const { saltRotation, retentionDays, ai } = form.values.settings.analytics;
  const had = settings.analytics?.retentionDays;
  const isShorter = retentionDays !== "" && (had === undefined || retentionDays < had);
  return (
    <>
      <ListField
        field="settings.analytics.origins"
        label="Sites that may report views"
        description="Origins whose pages carry the tracker. Their browsers need no key."
        placeholder="https://docs.example.com"
        max={100}
      />
      <NativeSelect
        label="What counts as AI"
        description={
          ai === (settings.analytics?.ai ?? "all")
            ? undefined
            : "Everything is counted anew with this, which may take minutes."
        }
        data={[
          { value: "all", label: "Every AI agent" },
          { value: "assistants", label: "Assistants and readers of Markdown only, not search and training" },
        ]}
        {...form.getInputProps("settings.analytics.ai")}
      />
      <Sources field="settings.analytics.peopleSources" label="Sources that count for people" />
      <Sources field="settings.analytics.agentSources" label="Sources that count for AI agents" />
      <NativeSelect
        label="New visitor ids"
        description="How often the secret behind visitors' ids changes."
        data={[
          { value: "never", label: "Never: a reader who comes back next month is the same" },
          { value: "monthly", label: "Every month" },
          { value: "daily", label: "Every day" },
        ]}
        {...form.getInputProps("settings.analytics.saltRotation")}
      />
      {saltRotation !== "never" && (
        <Text size="sm" role="status">
          After each change everybody counts as new: unique visitors of a longer range are then the sum of its{" "}
          {saltRotation === "daily" ? "days" : "months"}. What was counted before stays.
        </Text>
      )}
      <NativeSelect
        label="Readers who send Global Privacy Control"
        data={[
          { value: "count", label: "Are counted like any" },
          { value: "drop", label: "Are not stored" },
        ]}
        {...form.getInputProps("settings.analytics.globalPrivacyControl")}
      />
      <NumberInput
        label="Days that views are kept"
        description="Today included. Forever when empty."
        min={1}
        max={36_500}
        allowDecimal={false}
        {...form.getInputProps("settings.analytics.retentionDays")}
      />
      {isShorter && (
        <Text size="sm" role="status" fw={600}>
          Views before the last {retentionDays} {retentionDays === 1 ? "day" : "days"} are deleted once this is saved.
          They cannot be brought back.
        </Text>
      )}
    </>
  );
}

function Sources({ field, label }: { field: string; label: string }) {
  const form = useSettingsForm();
  return (
    <Checkbox.Group label={label} description="All of them when none is chosen." {...form.getInputProps(field)}>
      <Group mt="xs">
        {SOURCES.map(({ source, label: its }) => (
          <Checkbox key={source} value={source} label={its} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}
