/** What `docent:offline` understands: each kind of instruction with an example that it accepts as it stands. */
export const OFFLINE_EXAMPLES: readonly { purpose: string; example: string }[] = [
  {
    purpose: "replace or rename a term",
    example: 'replace "Lantern Hub" with "Lantern Cloud" in guides/**, prose only',
  },
  { purpose: "fix broken links, anchors, images and navigation entries", example: "fix broken links" },
  { purpose: "move a page", example: "move guides/install to getting-started/install" },
  {
    purpose: "add a page",
    example: 'add a page guides/sso titled "Single sign-on" in group "Guides" with the text: Ask your administrator.',
  },
  { purpose: "set a front matter field", example: 'set description to "How to install" in guides/install' },
];

/** Lines of plain text for banners, failures and docs: what the offline model understands, with examples. */
export function describeOffline(): string {
  const lines = OFFLINE_EXAMPLES.map(({ purpose, example }) => `- ${purpose}: ${example}`);
  return [
    "The offline model (docent:offline) understands these instructions, several at once if each has a line of its own:",
    "",
    ...lines,
    "",
    "For anything else set DOCENT_MODEL to a language model, for example DOCENT_MODEL=openai-compatible:<model> with DOCENT_MODEL_BASE_URL.",
  ].join("\n");
}
