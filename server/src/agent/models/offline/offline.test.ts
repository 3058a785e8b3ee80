import { generateText, streamText } from "ai";
import { afterEach, describe, expect, it } from "vitest";
import { CHANGES_DISCARDED_NOTE, nextAction } from "../../agent.ts";
import { INTERRUPTED, toModelMessages } from "../../messages.ts";
import { messageFaults } from "../../testing/message-faults.ts";
import { createTestAgent, runTurn } from "../../testing/run-turn.ts";
import { createTestWorkspace, type TestWorkspace } from "../../testing/test-workspace.ts";
import type { ToolOutput, Transcript, TranscriptEntry } from "../../transcript.ts";
import { createOfflineModel } from "./offline.ts";

const agent = createTestAgent({ model: createOfflineModel(), instructions: "Work." });

function docsJson(pages: string[], more: object = {}): string {
  const config = {
    $schema: "https://mintlify.com/docs.json",
    name: "Hub",
    navigation: { groups: [{ group: "Guides", pages }] },
    ...more,
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

let test: TestWorkspace;
afterEach(() => test.close());

async function open(files: Record<string, string>, options?: Parameters<typeof createTestWorkspace>[1]): Promise<void> {
  test = await createTestWorkspace(files, options);
}

/** One job: each prompt is a turn on what the turn before left. */
async function ask(...prompts: string[]) {
  const transcript: TranscriptEntry[] = [];
  let end: Awaited<ReturnType<typeof runTurn>> | undefined;
  for (const text of prompts) {
    transcript.push({ type: "prompt", text });
    end = await runTurn(agent, test.workspace, transcript);
  }
  if (end === undefined) throw new Error("There was no prompt.");
  return { end, transcript };
}

function toolNames(transcript: Transcript): string[] {
  return transcript.flatMap((entry) => (entry.type === "tool-result" ? [entry.toolName] : []));
}

describe("a job of docent:offline", () => {
  it("replaces a term in one call, and a follow-up works on the result", async () => {
    await open({ "docs.json": docsJson(["a"]), "a.mdx": "\uFEFFHub `Hub`\r\n", "b/c.mdx": "Hub" });
    const { end, transcript } = await ask('replace "Hub" with "Cloud"', 'rename "Cloud" to "Sky" in b/**');
    expect(end).toMatchObject({
      type: "finish",
      title: 'Replace "Cloud" with "Sky"',
      summary: expect.stringContaining("1 time in 1 file"),
    });
    expect(toolNames(transcript)).toEqual(["replace_text", "finish", "list_files", "replace_text", "finish"]);
    expect(await test.files()).toEqual({
      "docs.json": docsJson(["a"]).replace('"Hub"', '"Cloud"'),
      "a.mdx": "\uFEFFCloud `Cloud`\r\n",
      "b/c.mdx": "Sky",
    });
  });

  it("finishes without a change when the quoted term does not occur", async () => {
    await open({ "docs.json": docsJson(["a"]), "a.mdx": "hub\n" });
    expect((await ask('replace "HUB" with "X"')).end).toMatchObject({
      type: "finish",
      summary: expect.stringMatching(/does not occur.*2 files hold it in another case/),
    });
    expect(await test.workspace.changes()).toEqual([]);
  });

  it.each([
    ["rename nonesuch to another", /does not occur.*quotes/],
    ['replace "a" with "b" in headings', /No file matches "headings"/],
    ["fix broken links in nowhere/**", /No file matches "nowhere\/\*\*"/],
    ["move nope to b", /no file "nope".*\(The instruction was to move nope to b\.\)/],
    ['set title to "X" in nope', /no file "nope"/],
    ['set title to "X" in guides', /both a page and a folder/],
    ['add a page a titled "T" with the text: x', /a\.mdx exists already/],
    ['add a page b titled "T" in group "Nope" with the text: x', /Nope/],
    ["write a poem", /not understood: “write a poem”.*fix broken links.*DOCENT_MODEL/s],
    ['replace "a" with "b"; write a poem', /“write a poem”/],
  ])("gives up with the reason and changes nothing: %s", async (prompt, reason) => {
    await open({ "docs.json": docsJson(["a"]), "a.mdx": "text\n", "guides.mdx": "x\n", "guides/b.mdx": "x\n" });
    expect((await ask(prompt)).end).toEqual({ type: "give-up", reason: expect.stringMatching(reason) });
    expect(await test.workspace.changes()).toEqual([]);
  });

  it("moves, adds and sets in the order that was asked for", async () => {
    await open({
      "docs.json": docsJson(["guides/a"]),
      "guides/a.mdx": "---\r\ntitle: 'A'\r\n---\r\n[self](/guides/a)\r\n",
    });
    const { end } = await ask(
      '1. move guides/a to start/a\n2. set title to "It\'s A" in start/a\n3. add a page start/b titled "B: two" after start/a with the text:\n\n## Two\n\n- `x`\n',
    );
    expect(end).toMatchObject({ type: "finish", title: "Move guides/a.mdx to start/a.mdx, and 2 more" });
    expect(await test.files()).toEqual({
      "docs.json": docsJson(["start/a", "start/b"], { redirects: [{ source: "/guides/a", destination: "/start/a" }] }),
      "start/a.mdx": "---\r\ntitle: 'It''s A'\r\n---\r\n[self](/start/a)\r\n",
      "start/b.mdx": '---\ntitle: "B: two"\n---\n\n## Two\n\n- `x`\n',
    });
  });

  it("works in a docs folder as if it were the root", async () => {
    await open(
      { "docs/docs.json": docsJson(["guides/a"]), "docs/guides/a.md": "A\n", "README.md": "A\n" },
      { docsPath: "docs" },
    );
    await ask(
      'add a page guides/b titled "B" in group "Guides" with the text: B',
      'set icon to "x" in guides/**',
      'replace "A" with "Z" in guides',
    );
    expect(await test.files()).toEqual({
      "docs/docs.json": docsJson(["guides/a", "guides/b"]),
      "docs/guides/a.md": "---\nicon: x\n---\n\nZ\n",
      "docs/guides/b.md": '---\ntitle: "B"\nicon: x\n---\n\nB\n',
      "README.md": "A\n",
    });
  });
});

describe("fix broken links", () => {
  const REDIRECTS = { redirects: [{ source: "/old/install", destination: "/guides/install" }] };

  it("repairs exactly what has a certain answer and lists the rest", async () => {
    await open({
      "docs.json": docsJson(["guides/install", "guides/use"], REDIRECTS),
      "guides/install.mdx": "---\ntitle: Install\n---\n\n## Set up the server\n",
      "guides/use.mdx": [
        "\uFEFF---",
        "title: Use",
        "---",
        "[/old/install](/old/install) and [/reference/install](/reference/install) `(/reference/install)`",
        "```",
        "[code](/reference/install)",
        "```",
        "[anchor](/guides/install#setup-the-server) [good](/guides/install#set-up-the-server)",
        '<a href="/reference/install">x</a>',
        "[nobody knows](/no/such/page) ![gone](/images/gone.png)",
        "[over two lines",
        "of text](/reference/install)",
      ].join("\r\n"),
    });
    const before = await test.text("guides/use.mdx");
    const { end } = await ask("fix broken links");
    expect(await test.text("guides/use.mdx")).toBe(
      before
        ?.replace("[/reference/install](/reference/install)", "[/reference/install](/guides/install)")
        .replace("#setup-the-server", "#set-up-the-server")
        .replace('href="/reference/install"', 'href="/guides/install"')
        .replace("of text](/reference/install)", "of text](/guides/install)"),
    );
    expect(end).toMatchObject({ type: "finish", summary: expect.stringMatching(/no\/such\/page.*gone\.png/s) });
    expect((await ask("fix broken links")).end).toMatchObject({
      summary: expect.stringContaining("nothing was changed"),
    });
  });

  it("repairs hundreds, in a bounded number of answers", async () => {
    const pages = Array.from({ length: 120 }, (_, index) => `p${index}`);
    const body = "text\n".repeat(40);
    const files = Object.fromEntries(
      pages.map((page) => [
        `${page}.mdx`,
        `[x](/gone/target) [y](/gone/target)\n${body}[z](/gone/target#usage) [same](/gone/target#usage)\n`,
      ]),
    );
    await open({ "docs.json": docsJson(["guides/target", ...pages]), "guides/target.mdx": "## Usage\n", ...files });
    const { end, transcript } = await ask("fix broken links");
    expect(end).toMatchObject({ type: "finish", summary: expect.stringContaining("in 120 files") });
    const expected = `[x](/guides/target) [y](/guides/target)\n${body}[z](/guides/target#usage) [same](/guides/target#usage)\n`;
    for (const page of pages) expect(await test.text(`${page}.mdx`)).toBe(expected);
    expect(transcript.filter(({ type }) => type === "answer").length).toBeLessThan(40);
  });

  it("repairs addresses on lines too long to be read whole, and says where a defect comes again and again", async () => {
    const long = "words ".repeat(1000);
    const line = `${long}/gone/t [x](/gone/t) <a href="/gone/t#one">y</a> [x](/gone/t?a "t") ${"[z](/no/where) ".repeat(60)}`;
    await open({ "docs.json": docsJson(["guides/t", "a"]), "guides/t.mdx": "## One\n", "a.mdx": `${line}\r\n` });
    const { end } = await ask("fix broken links");
    expect(await test.text("a.mdx")).toBe(
      `${line}\r\n`
        .replace("(/gone/t)", "(/guides/t)")
        .replace('"/gone/t#one"', '"/guides/t#one"')
        .replace('(/gone/t?a "t")', '(/guides/t?a "t")'),
    );
    expect(end).toMatchObject({
      summary: expect.stringMatching(/Repaired 3 .*60 problems.*line 1 \(and in 59 other/s),
    });
  });

  it("keeps to a glob and to the kinds that were named", async () => {
    await open({
      "docs.json": docsJson(["guides/t", "a", "b/c"]),
      "guides/t.mdx": "## One\n",
      "a.mdx": "[x](/t)\n",
      "b/c.mdx": "[x](/t) [y](/guides/t#ones)\n",
    });
    await ask("fix broken anchors in b/**");
    expect([await test.text("a.mdx"), await test.text("b/c.mdx")]).toEqual([
      "[x](/t)\n",
      "[x](/t) [y](/guides/t#one)\n",
    ]);
    await ask("fix broken links in b");
    expect([await test.text("a.mdx"), await test.text("b/c.mdx")]).toEqual([
      "[x](/t)\n",
      "[x](/guides/t) [y](/guides/t#one)\n",
    ]);
  });
});

describe("a conversation with docent:offline", () => {
  it("goes on the same way from every point of a transcript", async () => {
    await open({ "docs.json": docsJson(["guides/t", "a"]), "guides/t.mdx": "T\n", "a.mdx": "[x](/t)\n" });
    const { transcript } = await ask("fix broken links", 'replace "T" with "U"; fix broken links');
    for (let length = 1; length < transcript.length; length += 1) {
      const soFar = transcript.slice(0, length);
      if (transcript[length]?.type !== "answer" || nextAction(soFar, {}).type !== "call-model") continue;
      expect(messageFaults(toModelMessages(soFar))).toEqual([]);
      expect({ type: "answer", ...(await agent.callModel(soFar)) }).toEqual(transcript[length]);
    }
  });

  const GIVEN: Transcript = [{ type: "prompt", text: 'replace "A" with "B"' }];
  const replaced: ToolOutput = { type: "json", value: { replaced: 1, filesChanged: 1, files: [], filesSearched: 1 } };
  async function step(transcript: Transcript, ...outputs: ToolOutput[]): Promise<Transcript> {
    const answer = await agent.callModel(transcript);
    const calls = answer.content.flatMap((part) => (part.type === "tool-call" ? [part] : []));
    return [
      ...transcript,
      { type: "answer", ...answer },
      ...calls.map(({ toolCallId, toolName }, index) => ({
        type: "tool-result" as const,
        toolCallId,
        toolName,
        output: outputs[index] ?? outputs[0] ?? replaced,
      })),
    ];
  }
  const finished: ToolOutput = { type: "text", value: "Finished." };

  it("calls again what was interrupted", async () => {
    await open({ "docs.json": docsJson([]) });
    const transcript = await step(await step(GIVEN, INTERRUPTED), replaced);
    expect(toolNames(await step(transcript, finished))).toEqual(["replace_text", "replace_text", "finish"]);
  });

  it("does a prompt that comes mid-turn after the one before it", async () => {
    await open({ "docs.json": docsJson([]) });
    const transcript = await step([...(await step(GIVEN)), { type: "prompt", text: 'replace "C" with "D"' }]);
    const end = nextAction(await step(transcript, finished), {});
    expect(end).toMatchObject({ type: "finish", title: 'Replace "A" with "B", and 1 more' });
  });

  it("does not lose finished work to a later prompt that it does not understand", async () => {
    await open({ "docs.json": docsJson([]) });
    const transcript: Transcript = [...(await step(GIVEN)), { type: "prompt", text: "write a poem" }];
    const end = nextAction(await step(transcript, finished), {});
    expect(end).toMatchObject({
      type: "finish",
      summary: expect.stringMatching(/Not done.*write a poem.*Replaced "A"/s),
    });
  });

  it("finishes again after a note, and starts over when its changes were discarded", async () => {
    await open({ "docs.json": docsJson([]) });
    const done = await step(await step(GIVEN), finished);
    const again = await step([...done, { type: "note", text: "One problem remains." }], finished);
    expect(nextAction(again, {})).toEqual(nextAction(done, {}));
    const halfway = await step(GIVEN);
    const restarted = await step([
      ...halfway,
      { type: "note", text: CHANGES_DISCARDED_NOTE },
      { type: "prompt", text: "fix broken links" },
    ]);
    expect(toolNames(restarted)).toEqual(["replace_text", "replace_text"]);
  });

  it("streams what it generates, and explains itself without Docent's tools", async () => {
    await open({ "docs.json": docsJson([]) });
    const plain = await generateText({ model: createOfflineModel(), prompt: "hello" });
    expect(plain.text).toMatch(/works with Docent's tools alone.*fix broken links/s);
    expect(await streamText({ model: createOfflineModel(), prompt: "hello" }).text).toBe(plain.text);
  });
});
