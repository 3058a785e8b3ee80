import { readFileSync } from "node:fs";
import type { FrameworkName } from "../workspace/docs/framework/framework-name.ts";

const TEMPLATE = readFileSync(new URL("./prompts/system.md", import.meta.url), "utf8");

const FRAMEWORKS: Record<FrameworkName, string> = {
  mintlify: "Mintlify: MDX pages; docs.json (or mint.json) holds the navigation and the redirects",
  docusaurus: "Docusaurus: Markdown and MDX pages; sidebars and docusaurus.config hold the navigation",
  plain: "plain Markdown, with no framework that was recognised",
};

/**
 * The system prompt of a job.
 * @param options.docsPath folder of the documentation in the repository, `""` for its root
 * @param options.projectInstructions Markdown: the project's own, then the repository's; empty parts are left out
 */
export function systemPrompt(options: {
  framework: FrameworkName;
  docsPath: string;
  projectInstructions: readonly string[];
}): string {
  const instructions = options.projectInstructions.map((text) => text.trim()).filter((text) => text.length > 0);
  const slots: Record<string, string> = {
    framework: FRAMEWORKS[options.framework],
    docsPath: options.docsPath === "" ? "the root of the repository" : `the folder \`${options.docsPath}\``,
    projectInstructions:
      instructions.length === 0 ? "" : `\n## This project's instructions\n\n${instructions.join("\n\n")}\n`,
  };
  return TEMPLATE.replace(/\{\{(\w+)\}\}/g, (slot, name: string) => slots[name] ?? slot).trim();
}
