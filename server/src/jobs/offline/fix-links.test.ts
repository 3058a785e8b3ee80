import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService, type TestService } from "../../testing/service.ts";
import { createDocsProject, writeFiles, type DocsFile } from "../testing/docs-project.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

/** [before, after] of one file; a file with one text is to stay as it is. */
type Case = Record<string, string | Uint8Array | readonly [before: string, after: string]>;

async function mend(files: Case): Promise<string> {
  const side = (index: 0 | 1): Record<string, DocsFile> =>
    Object.fromEntries(
      Object.entries(files).map(([path, file]) => [
        path,
        typeof file === "string" || file instanceof Uint8Array ? file : file[index],
      ]),
    );
  const project = await createDocsProject(service, side(0));
  try {
    const expected = await project.expectedTree((directory) => writeFiles(directory, side(1)));
    const outcome = await project.runJob("fix broken links");
    expect([outcome.status, outcome.failureReason]).toEqual(["completed", null]);
    expect(await project.diff(expected, outcome.tree)).toBe("");
    expect(outcome.tree).toBe(expected);
    return outcome.pullRequest?.body ?? "";
  } finally {
    await project.close();
  }
}

/** Lines that end the Windows way, after a byte order mark, the last one not ended. */
function windows(...lines: string[]): string {
  return `\uFEFF${lines.join("\r\n")}`;
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0xff]);
const IN_CODE = ["```md", "[kept](/developers/webhooks) ![kept](/img/flow.svg)", "```", "`[kept](/developers/tokens)`"];

describe("fix broken links on a repository with moved pages", () => {
  it("mends a Mintlify tree as a person would, and names what nobody can know", { timeout: 120_000 }, async () => {
    const body = await mend({
      "docs.json": [
        `{\r\n\t"$schema": "https://mintlify.com/docs.json",\r\n\t"name": "Docs",\r\n\t"navigation": { "groups": [\r\n\t\t{ "group": "Start", "pages": ["index", "quickstart", "gone/for-good"] },\r\n\t\t{ "group": "Guides", "pages": ["guides/webhooks", "developers/tokens"] }\r\n\t] },\r\n\t"redirects": [{ "source": "/hooks", "destination": "/guides/webhooks" }, { "source": "/keys", "destination": "/developers/tokens" }]\r\n}`,
        `{\r\n\t"$schema": "https://mintlify.com/docs.json",\r\n\t"name": "Docs",\r\n\t"navigation": { "groups": [\r\n\t\t{ "group": "Start", "pages": ["index", "quickstart", "gone/for-good"] },\r\n\t\t{ "group": "Guides", "pages": ["guides/webhooks", "guides/tokens"] }\r\n\t] },\r\n\t"redirects": [{ "source": "/hooks", "destination": "/guides/webhooks" }, { "source": "/keys", "destination": "/guides/tokens" }]\r\n}`,
      ],
      "index.mdx": [
        windows(
          "---",
          'title: "Index"',
          "---",
          "[moved](/developers/webhooks) and [again](/developers/webhooks), [with place](/developers/tokens#scopes)",
          "[redirected, which readers follow](/hooks) [query](/developers/tokens?tab=api#scopes)",
          "[place is gone](/developers/tokens#no-such-place) [nobody knows](/no/such/page)",
          "![image](/img/flow.svg) ![no image](/img/nowhere.svg)",
          '<Card title="Card" href="/developers/webhooks">text</Card> <img src="/img/flow.svg" alt="x" />',
          "[reference][1] and [case](/Guides/Webhooks)",
          ...IN_CODE,
          "",
          "[1]: /developers/tokens 'A title'",
        ),
        windows(
          "---",
          'title: "Index"',
          "---",
          "[moved](/guides/webhooks) and [again](/guides/webhooks), [with place](/guides/tokens#scopes)",
          "[redirected, which readers follow](/hooks) [query](/guides/tokens?tab=api#scopes)",
          "[place is gone](/guides/tokens) [nobody knows](/no/such/page)",
          "![image](/images/flow.svg) ![no image](/img/nowhere.svg)",
          '<Card title="Card" href="/guides/webhooks">text</Card> <img src="/images/flow.svg" alt="x" />',
          "[reference][1] and [case](/guides/webhooks)",
          ...IN_CODE,
          "",
          "[1]: /guides/tokens 'A title'",
        ),
      ],
      "quickstart.mdx": [
        "# Quickstart\n\n[relative](./webhooks) [up](../tokens)\r\n[anchor](#first-stepp) [own](#first-step)\n\n## First step\n",
        "# Quickstart\n\n[relative](./guides/webhooks) [up](./guides/tokens)\r\n[anchor](#first-step) [own](#first-step)\n\n## First step\n",
      ],
      "guides/webhooks.mdx": [
        "---\ntitle: Webhooks\n---\n[sibling, one up too many](../tokens#scopes)\n[heading](/guides/tokens#Scopes)",
        "---\ntitle: Webhooks\n---\n[sibling, one up too many](./tokens#scopes)\n[heading](/guides/tokens#scopes)",
      ],
      "guides/tokens.mdx": "---\ntitle: Tokens\n---\n\n## Scopes\n\nNothing to mend here.\n",
      "images/flow.svg": "<svg/>\n",
      "images/logo.png": PNG,
      "notes.txt": "[not a page](/developers/webhooks)\n",
      "latin1.mdx": Buffer.concat([Buffer.from("[x](/developers/webhooks) "), Buffer.from([0xe9])]),
    });
    expect(body).toContain("`/no/such/page`");
    expect(body).toContain("`/img/nowhere.svg`");
    expect(body).toContain("`gone/for-good`");
  });

  it("mends a Docusaurus tree as a person would", { timeout: 120_000 }, async () => {
    const config = (to: string): string =>
      [
        "module.exports = {",
        "  title: 'Docs', url: 'https://example.com', baseUrl: '/',",
        "  presets: [['classic', { docs: { sidebarPath: './sidebars.js' }, blog: false }]],",
        `  plugins: [['@docusaurus/plugin-client-redirects', { redirects: [{ from: '/docs/hooks', to: '${to}' }] }]],`,
        "};",
        "",
      ].join("\r\n");
    const body = await mend({
      "docusaurus.config.js": config("/docs/guides/webhooks"),
      "sidebars.js": [
        "// Kept as it is.\nmodule.exports = { docs: ['intro', { type: 'category', label: 'Guides', items: ['webhooks', 'guides/tokens', 'vanished'] }] }",
        "// Kept as it is.\nmodule.exports = { docs: ['intro', { type: 'category', label: 'Guides', items: ['guides/webhooks', 'guides/tokens', 'vanished'] }] }",
      ],
      "docs/intro.md": [
        windows(
          "# Intro",
          "",
          "[file](./webhooks.md) [file and place](./tokens.mdx#scopes) [redirect](/docs/hooks) [address](/docs/developers/tokens)",
          "![image](../static/flow.svg) ![there](/img/flow.svg) [nobody knows](./vanished.md) [place](#nowhere-at-all)",
          "<a href='/docs/developers/webhooks'>html</a>",
          ...IN_CODE,
        ),
        windows(
          "# Intro",
          "",
          "[file](./guides/webhooks.md) [file and place](./guides/tokens.md#scopes) [redirect](/docs/guides/webhooks) [address](/docs/guides/tokens)",
          "![image](../static/img/flow.svg) ![there](/img/flow.svg) [nobody knows](./vanished.md) [place](#nowhere-at-all)",
          "<a href='/docs/guides/webhooks'>html</a>",
          ...IN_CODE,
        ),
      ],
      "docs/guides/webhooks.md": ["# Webhooks\n\n[up](./intro.md)\r\n", "# Webhooks\n\n[up](../intro.md)\r\n"],
      "docs/guides/tokens.md": "# Tokens\n\n## Scopes {#scopes}",
      "static/img/flow.svg": "<svg/>",
      "static/img/logo.png": PNG,
    });
    expect(body).toContain("`./vanished.md`");
    expect(body).toContain("`nowhere-at-all`");
    expect(body).toContain("`vanished`");
  });

  it("leaves a tree without a certain answer as it is", { timeout: 120_000 }, async () => {
    const body = await mend({
      "docs.json": `{ "$schema": "https://mintlify.com/docs.json", "navigation": { "pages": ["a"] } }`,
      "a.mdx": "[x](/old/install) [y](/b#none)\n",
      "b.mdx": "# B\n",
      "linux/install.mdx": "# Install\n",
      "windows/install.mdx": "# Install\n",
    });
    expect(body).toBe("");
  });
});
