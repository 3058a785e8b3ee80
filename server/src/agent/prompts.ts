import { readFileSync } from "node:fs";
import type { FrameworkName } from "../workspace/docs/framework/framework-name.ts";

const TEMPLATE = readText("system.md");
/** By framework, each read once. */
const CONVENTIONS = new Map<FrameworkName, string>();

const FRAMEWORKS: Record<FrameworkName, string> = {
  mintlify: "Mintlify: MDX pages; docs.json (or mint.json) holds the navigation and the redirects",
  docusaurus: "Docusaurus: Markdown and MDX pages; sidebars and docusaurus.config hold the navigation",
  starlight: "Starlight on Astro: Markdown and MDX pages; the Astro config holds the sidebar and the redirects",
  vitepress: "VitePress: Markdown pages with Vue; .vitepress/config holds the navigation",
  fumadocs: "Fumadocs: MDX pages; meta.json in each folder holds the navigation",
  nextra: "Nextra: MDX pages; _meta files in each folder hold the navigation",
  mkdocs: "MkDocs: Markdown pages as Python-Markdown reads them; mkdocs.yml holds the navigation",
  plain: "plain Markdown, with no framework that was recognised",
};

/** A repository that the agent may read beside the documentation, under `@name/`. */
export interface ContextRepositoryName {
  name: string;
  /** Shown to the model; without credentials. */
  url: string;
}

/**
 * The system prompt of a job.
 * @param options.docsPath folder of the documentation in the repository, `""` for its root
 * @param options.projectInstructions Markdown: the project's own, then the repository's; empty parts are left out
 */
export function systemPrompt(options: {
  framework: FrameworkName;
  docsPath: string;
  projectInstructions: readonly string[];
  contextRepositories?: readonly ContextRepositoryName[];
}): string {
  const instructions = options.projectInstructions.map((text) => text.trim()).filter((text) => text.length > 0);
  const slots: Record<string, string> = {
    framework: FRAMEWORKS[options.framework],
    conventions: readConventions(options.framework),
    docsPath: options.docsPath === "" ? "the root of the repository" : `the folder \`${options.docsPath}\``,
    contextRepositories: contextSection(options.contextRepositories ?? []),
    projectInstructions:
      instructions.length === 0 ? "" : `\n## This project's instructions\n\n${instructions.join("\n\n")}\n`,
  };
  return TEMPLATE.replace(/\{\{(\w+)\}\}/g, (slot, name: string) => slots[name] ?? slot).trim();
}

function contextSection(repositories: readonly ContextRepositoryName[]): string {
  if (repositories.length === 0) return "";
  const listed = repositories.map(({ name, url }) => `- \`@${name}\`: ${url}`).join("\n");
  return `
## Repositories to read

Beside the documentation you can read these repositories, to learn how things really are. Paths in them begin with their name:
\`list_files\` with the glob \`@${repositories[0]?.name ?? "name"}/**\`, \`read_file\` with \`@${repositories[0]?.name ?? "name"}/README.md\`, \`search\` with such a glob. Nothing in them can be changed.

${listed}
`;
}

function readConventions(framework: FrameworkName): string {
  const known = CONVENTIONS.get(framework) ?? readText(`frameworks/${framework}.md`).trim();
  CONVENTIONS.set(framework, known);
  return known;
}

function readText(name: string): string {
  return readFileSync(new URL(`./prompts/${name}`, import.meta.url), "utf8");
}
