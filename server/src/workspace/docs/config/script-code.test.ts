import { describe, expect, it } from "vitest";
import { newScriptCode } from "./script-code.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const before = `import type { C } from "c";\nimport { themes } from "x";\nconst config: C = { a: ["b"], theme: themes.github, plugins: [require("y")] };\nexport default config;\n`;
const after = (text: string): string[] => newScriptCode("docusaurus.config.ts", bytes(before), bytes(text));

describe("the new code of a configuration script", () => {
  it("is none where only literal values change", () => {
    expect(after(before)).toEqual([]);
    expect(after(before.replace(`["b"]`, `["b", { from: "/c", to: \`/d\` }], e: { f: -1 }`))).toEqual([]);
    expect(after(before.replace(`a: ["b"], `, ""))).toEqual([]);
  });

  it("is everything else", () => {
    expect(after(before.replace(`["b"]`, `[process.env.SECRET]`))).toEqual(["process.env.SECRET"]);
    expect(after(`${before}fetch("https://example.com");\n`)).toEqual([`fetch("https://example.com");`]);
    expect(after(before.replace(`require("y")`, `require("y"), require("z")`))).toEqual([`require("z")`]);
    expect(after(before.replace(`a: ["b"]`, `get a() { return 1 }`))).toEqual(["get a() { return 1 }"]);
    expect(after(before.replace(`a: ["b"]`, "a: ["))).toEqual(["code that cannot be parsed"]);
    expect(newScriptCode("sidebars.js", null, bytes(`module.exports = { main: ["a", ...more()] };`))).toEqual([
      "...more()",
    ]);
  });
});
