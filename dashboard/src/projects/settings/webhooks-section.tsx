import { TextInput } from "@mantine/core";
import { Deliveries } from "./deliveries.tsx";
import { useSettingsForm } from "./form.ts";
import { WebhookSecret } from "./webhook-secret.tsx";

/** Whom the service tells of the project's jobs. */
export function WebhooksSection() {
  const form = useSettingsForm();
  return (
    <>
      <TextInput
        label="URL"
        description="Every change of a job's status is posted there, signed as Standard Webhooks has it. Nowhere when empty."
        placeholder="https://example.com/docent"
        type="url"
        maxLength={2_000}
        spellCheck={false}
        {...form.getInputProps("settings.webhookUrl")}
      />
      <WebhookSecret />
      <Deliveries />
    </>
  );
}
