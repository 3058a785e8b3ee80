import { Fieldset, NativeSelect, NavLink, Stack, Text, Title } from "@mantine/core";
import type { ComponentType } from "react";
import { Link, useSearchParams } from "wouter";
import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { useMay } from "../session/session-context.tsx";
import { useProject } from "./project-context.tsx";
import { CodeHostSection } from "./settings/code-host-section.tsx";
import { DangerSection } from "./settings/danger-section.tsx";
import { DocumentationSection } from "./settings/documentation-section.tsx";
import { SettingsFormProvider } from "./settings/form.ts";
import { GeneralSection } from "./settings/general-section.tsx";
import { ModelSection } from "./settings/model-section.tsx";
import { PullRequestsSection } from "./settings/pull-requests-section.tsx";
import { ReadersSection } from "./settings/readers-section.tsx";
import { SaveBar } from "./settings/save-bar.tsx";
import { sectionOf, SECTIONS, type Section } from "./settings/sections.ts";
import classes from "./settings/settings.module.css";
import { useUnsaved } from "./settings/unsaved.ts";
import { useSettings } from "./settings/use-settings.ts";
import { WebhooksSection } from "./settings/webhooks-section.tsx";

const CONTENTS: Readonly<Record<Section["id"], ComponentType>> = {
  general: GeneralSection,
  documentation: DocumentationSection,
  model: ModelSection,
  "pull-requests": PullRequestsSection,
  readers: ReadersSection,
  webhooks: WebhooksSection,
  "code-host": CodeHostSection,
  danger: DangerSection,
};

export default function SettingsPage() {
  const project = useProject();
  const mayChange = useMay("editor");
  const [search, setSearch] = useSearchParams();
  const open = sectionOf(search.get("section"));
  const { form, changed, save, discard } = useSettings(project);
  const leaving = useUnsaved(changed.length > 0);
  const Content = CONTENTS[open.id];
  return (
    <SettingsFormProvider form={form}>
      <PageHeader
        title="Settings"
        description={mayChange ? undefined : "Editors and owners change these. Your role is viewer: you can read them."}
      />
      <div className={classes.page}>
        <nav aria-label="Settings" className={classes.sections}>
          {SECTIONS.map(({ id, label }) => (
            <NavLink
              key={id}
              component={Link}
              href={`/settings?section=${id}`}
              label={label}
              active={id === open.id}
              aria-current={id === open.id ? "page" : undefined}
              style={{ borderRadius: "var(--mantine-radius-md)" }}
            />
          ))}
        </nav>
        <NativeSelect
          className={classes.choice}
          label="Section"
          data={SECTIONS.map(({ id, label }) => ({ value: id, label }))}
          value={open.id}
          onChange={(event) => setSearch({ section: event.currentTarget.value })}
        />
        <section aria-labelledby="settings-section">
          <Title order={2} size="h3" mb="md" id="settings-section">
            {open.label}
          </Title>
          <Fieldset variant="unstyled" m={0} disabled={!mayChange} id="settings-section-content">
            <Stack gap="lg">
              <Content />
            </Stack>
          </Fieldset>
        </section>
      </div>
      <SaveBar
        changed={changed}
        openSection={open}
        isPending={save.isPending}
        error={save.error}
        onSave={() => save.mutate()}
        onDiscard={discard}
      />
      <ConfirmDialog
        opened={leaving !== null}
        onClose={() => leaving?.stay()}
        onConfirm={() => leaving?.go()}
        title="Leave without saving?"
        confirm="Leave"
      >
        <Text>What you changed here is not saved yet.</Text>
      </ConfirmDialog>
    </SettingsFormProvider>
  );
}
