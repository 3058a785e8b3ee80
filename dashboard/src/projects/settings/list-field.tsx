import { TagsInput } from "@mantine/core";
import { useSettingsForm } from "./form.ts";

/** A setting that is a list of texts, each entered with Enter; several lines are pasted at once. */
export function ListField({
  field,
  label,
  description,
  placeholder,
  max,
}: {
  field: string;
  label: string;
  description: string;
  placeholder?: string;
  max: number;
}) {
  const form = useSettingsForm();
  return (
    <TagsInput
      label={label}
      description={description}
      placeholder={placeholder}
      maxTags={max}
      splitChars={["\n"]}
      {...form.getInputProps(field)}
    />
  );
}
