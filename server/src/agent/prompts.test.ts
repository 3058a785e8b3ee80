import { describe, expect, it, test } from "vitest";
import type { FrameworkName } from "../workspace/docs/framework/framework-name.ts";
import { systemPrompt } from "./prompts.ts";
import { createTools } from "./tools/tools.ts";

const FRAMEWORKS: FrameworkName[] = [
  "mintlify",
  "docusaurus",
  "starlight",
  "vitepress",
  "fumadocs",
  "nextra",
  "mkdocs",
  "plain",
];

describe("the system prompt", () => {
  it.each(FRAMEWORKS)("tells the conventions of %s, and leaves no slot open", (framework) => {
    const prompt = systemPrompt({ framework, docsPath: "docs", projectInstructions: [] });
    expect(prompt).not.toMatch(/\{\{[a-zA-Z]+\}\}/);
    expect(prompt).toMatch(/^- Links: /m);
    expect(prompt).toContain("the folder `docs`");
    expect(prompt).not.toContain("## Repositories to read");
  });

  it("names the repositories to read, and ends with the project's instructions", () => {
    const prompt = systemPrompt({
      framework: "plain",
      docsPath: "",
      projectInstructions: ["Write British English.", " "],
      contextRepositories: [{ name: "app", url: "https://code.example/acme/app" }],
    });
    expect(prompt).toContain("- `@app`: https://code.example/acme/app");
    expect(prompt.endsWith("## This project's instructions\n\nWrite British English.")).toBe(true);
  });

  test("every tool that it names is there", () => {
    const prompt = systemPrompt({ framework: "plain", docsPath: "", projectInstructions: [] });
    const names = new Set(createTools().map(({ name }) => name));
    const named = [...prompt.matchAll(/`([a-z]+_[a-z_]+|finish|search)`/g)].map(([, name = ""]) => name);
    expect(named.filter((name) => !names.has(name))).toEqual([]);
    expect(named).toEqual(expect.arrayContaining(["todo_write", "check_docs", "finish", "give_up", "edit_file"]));
  });
});
