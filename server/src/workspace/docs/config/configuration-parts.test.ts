import { describe, expect, it } from "vitest";
import { configurationDefect } from "./configuration-parts.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function defect(path: string, before: string, after: string, keys: string[]): string | undefined {
  return configurationDefect(path, encode(before), encode(after), keys);
}

const ASTRO = `import starlight from "@astrojs/starlight";
import blog from "./blog.js";

export default defineConfig({
  site: "https://example.com",
  redirects: { "/a": "/b" },
  integrations: [starlight({ title: "T", sidebar: [{ label: "G", items: ["a", "b"] }], plugins: [blog()] })],
});
`;

describe("a site's configuration", () => {
  const keys = ["sidebar", "redirects"];

  it.each([
    ["an entry of the sidebar", `"a", "b"`, `"a", "c", "b"`],
    ["all of the sidebar", `[{ label: "G", items: ["a", "b"] }]`, `["a"]`],
    ["a redirect", `{ "/a": "/b" }`, `{\n    "/a": "/c",\n    "/d": "/c",\n  }`],
    ["nothing", "", ""],
  ])("may have another %s", (_, from, to) => {
    expect(defect("astro.config.mjs", ASTRO, ASTRO.replace(from, to), keys)).toBeUndefined();
  });

  it.each([
    ["the address", "https://example.com", "https://example.org"],
    ["a plugin", "plugins: [blog()]", "plugins: [blog(), evil()]"],
    ["an import", `"./blog.js"`, `"./evil.js"`],
    ["a comment", "export default", "/* x */ export default"],
    ["what comes after the sidebar", `["a", "b"] }]`, `["a"] }], plugins: [evil()], sidebar: []`],
    ["a second sidebar", `title: "T"`, `title: "T", sidebar: []`],
    ["the sidebar by code", `sidebar: [{ label: "G", items: ["a", "b"] }]`, "sidebar: evil()"],
    ["a setting behind the redirects", `{ "/a": "/b" }`, `{}, vite: {}`],
    ["a script that does not parse", `"a", "b"`, `"a", [`],
  ])("may not have another %s", (_, from, to) => {
    expect(ASTRO).toContain(from);
    expect(defect("astro.config.mjs", ASTRO, ASTRO.replace(from, to), keys)).toMatch(
      /only the literal `sidebar` and `redirects`/,
    );
  });

  it("may not be made or deleted", () => {
    expect(configurationDefect("a.mjs", undefined, encode(ASTRO), keys)).toMatch(/only its/);
    expect(configurationDefect("a.mjs", encode(ASTRO), null, keys)).toMatch(/only its/);
  });

  it("of YAML may have other navigation and redirects, and no tags", () => {
    const yaml =
      "site_name: T\nnav:\n  - a.md\nplugins:\n  - redirects:\n      redirect_maps:\n        b.md: a.md\nhooks: [x.py]\n";
    const own = ["nav", "redirect_maps"];
    expect(defect("mkdocs.yml", yaml, yaml.replace("  - a.md\n", "  - a.md\n  - New: c.md\n"), own)).toBeUndefined();
    expect(
      defect("mkdocs.yml", yaml, yaml.replace("b.md: a.md", "b.md: c.md\n        d.md: c.md"), own),
    ).toBeUndefined();
    expect(defect("mkdocs.yml", yaml, yaml.replace("x.py", "y.py"), own)).toMatch(/only the literal/);
    expect(defect("mkdocs.yml", yaml, yaml.replace("  - a.md\n", "  - a.md\nhooks: [y.py]\n"), own)).toMatch(/only/);
    expect(defect("mkdocs.yml", yaml, yaml.replace("- a.md", "- !!python/name:os.system a"), own)).toMatch(/no tag/);
  });
});
