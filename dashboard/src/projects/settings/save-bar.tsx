import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { Link } from "wouter";
import { ErrorNotice } from "../../components/error-notice.tsx";
import { errorsOf } from "./use-settings.ts";
import { sectionOfField, SECTIONS, type Section } from "./sections.ts";
import classes from "./settings.module.css";

/** Stands at the bottom while something is unsaved, in this section or another one. */
export function SaveBar({
  changed,
  openSection,
  isPending,
  error,
  onSave,
  onDiscard,
}: {
  changed: readonly string[];
  openSection: Section;
  isPending: boolean;
  error: Error | null;
  onSave(): void;
  onDiscard(): void;
}) {
  if (changed.length === 0) return null;
  const sections = SECTIONS.filter((section) => changed.some((field) => sectionOfField(field) === section));
  const refused = error === null ? [] : Object.keys(errorsOf(error)).flatMap((field) => sectionOfField(field) ?? []);
  const elsewhere = refused.filter(({ id }) => id !== openSection.id);
  return (
    <div className={`docent-card ${classes.bar}`} role="region" aria-label="Unsaved changes">
      <Stack gap="xs">
        {error !== null && <ErrorNotice error={error} />}
        {elsewhere.map(({ id, label }) => (
          <Anchor key={id} component={Link} href={`/settings?section=${id}`} size="sm">
            Go to {label}
          </Anchor>
        ))}
        <Group justify="space-between">
          <Text size="sm">
            Not saved yet: {sections.map(({ label }) => label).join(", ")} ({changed.length}{" "}
            {changed.length === 1 ? "change" : "changes"})
          </Text>
          <Group gap="xs">
            <Button variant="default" onClick={onDiscard} disabled={isPending}>
              Discard
            </Button>
            <Button onClick={onSave} loading={isPending}>
              Save
            </Button>
          </Group>
        </Group>
      </Stack>
    </div>
  );
}
