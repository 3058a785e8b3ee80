import { NumberInput, TextInput } from "@mantine/core";
import { useSettingsForm } from "./form.ts";
import { ListField } from "./list-field.tsx";
import { ProviderKeys } from "./provider-keys.tsx";

/** Which models work on jobs, with whose keys, and what a job may cost. */
export function ModelSection() {
  const form = useSettingsForm();
  return (
    <>
      <TextInput
        label="Model"
        description="Of new jobs, as provider:model, like anthropic:claude-sonnet-5-5. The server's when empty; docent:offline needs no provider."
        maxLength={300}
        spellCheck={false}
        {...form.getInputProps("settings.model")}
      />
      <TextInput
        label="Fallback model"
        description="Goes on when the job's own model cannot answer. The server's when empty."
        maxLength={300}
        spellCheck={false}
        {...form.getInputProps("settings.fallbackModel")}
      />
      <ListField
        field="settings.models"
        label="Other models that a job may name"
        description="As provider:model. None when empty."
        max={50}
      />
      <NumberInput
        label="Cost limit of a job, in US dollars"
        description="Follow-ups included. A lower limit of the server's holds as well."
        min={0.01}
        max={1_000_000}
        decimalScale={4}
        step={0.5}
        prefix="$"
        {...form.getInputProps("settings.costMaxUsd")}
      />
      <ProviderKeys />
    </>
  );
}
