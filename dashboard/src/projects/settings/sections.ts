/** The parts of the settings, in the order in which they are shown. `fields`: what of them is saved with the page. */
export const SECTIONS = [
  { id: "general", label: "General", fields: ["name", "ref", "settings.allowedRefs"] },
  {
    id: "documentation",
    label: "Documentation",
    fields: [
      "settings.docsPath",
      "settings.allow",
      "settings.newMdxCode",
      "settings.instructions",
      "settings.contextRepositories",
    ],
  },
  {
    id: "model",
    label: "Model",
    fields: ["settings.model", "settings.fallbackModel", "settings.models", "settings.costMaxUsd"],
  },
  {
    id: "pull-requests",
    label: "Pull requests",
    fields: [
      "settings.pullRequests",
      "settings.commits",
      "settings.archiveOnMerge",
      "settings.archiveOnClose",
      "settings.comments",
    ],
  },
  { id: "readers", label: "Readers", fields: ["settings.analytics"] },
  { id: "webhooks", label: "Webhooks", fields: ["settings.webhookUrl"] },
  { id: "code-host", label: "Code host", fields: [] },
  { id: "danger", label: "Danger zone", fields: [] },
] as const satisfies readonly { id: string; label: string; fields: readonly string[] }[];

export type Section = (typeof SECTIONS)[number];

export function sectionOf(id: string | null): Section {
  return SECTIONS.find((section) => section.id === id) ?? SECTIONS[0];
}

/** Where a field is edited. */
export function sectionOfField(field: string): Section | undefined {
  return SECTIONS.find(({ fields }) => fields.some((own) => field === own || field.startsWith(`${own}.`)));
}
