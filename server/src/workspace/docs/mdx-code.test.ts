import { describe, expect, it } from "vitest";
import { newMdxCode } from "./mdx-code.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const code = (after: string, before: string | null = null): string[] =>
  newMdxCode(before === null ? null : bytes(before), bytes(after));

describe("the new code of a page", () => {
  it("is its imports from outside, exports, expressions and scripts", () => {
    expect(
      code(
        `import x from "left-pad"\nimport y from "@site/src/y"\nimport z from "../../src/z.ts"\nimport e from "./../.env?raw"\nexport const a = 1\n\n{fetch("/x")} <A b={c} {...d} onClick="run()" /> <a href="javascript:x">x</a>\n\n<script src="/x.js"></script>\n`,
      ),
    ).toEqual([
      `import x from "left-pad"`,
      `import y from "@site/src/y"`,
      `import z from "../../src/z.ts"`,
      `import e from "./../.env?raw"`,
      "export const a = 1",
      `{fetch("/x")}`,
      "b={c}",
      "{...d}",
      `onClick="run()"`,
      `href="javascript:x"`,
      "<script>",
    ]);
  });

  it("is not what nothing is executed for", () => {
    expect(
      code(
        `import S from "/snippets/s.mdx"\nimport P from "./p.mdx"\nimport Q from "../q.mdx"\nimport C from "./c.jsx"\nimport Tabs from "@theme/Tabs"\n\n## A {#a}\n\n{/* note */} {"x"} {1} <A b={{ c: [1, "x", -2, true] }} d={\`x\`} e="f" />\n\n:::note{.x}\n\n\`{code}\`\n\n\`\`\`js\nimport x from "y"\n\`\`\`\n`,
      ),
    ).toEqual([]);
  });

  it("is not what was there before", () => {
    const before = `export const a = 1\n\n{a}\n`;
    expect(code(`# Title\n\nexport const a = 1\n\n{a}\n`, before)).toEqual([]);
    expect(code(`export const a = 1\n\n{a} {a} {b}\n`, before)).toEqual(["{a}", "{b}"]);
  });

  it("is told by its lines where the page does not parse", () => {
    expect(code(`import x from "y"\n\n{unclosed\n`)).toEqual([`import x from "y"`]);
  });
});
