import { describe, expect, it } from "vitest";
import { estimateTokens, isTooLong, nextCompaction, SUMMARIES_MAX, visibleTranscript } from "./compaction.ts";
import { nextAction } from "./loop.ts";
import { toModelMessages } from "./messages.ts";
import { messageFaults } from "./testing/message-faults.ts";
import { createTestWorkspace } from "./testing/test-workspace.ts";
import { isKnownFile } from "./tools/known-files.ts";
import { openPaths } from "./tools/paths.ts";
import type { Answer, TranscriptEntry } from "./transcript.ts";

const PROMPT: TranscriptEntry = { type: "prompt", text: "Rename Acme" };
const TRIM: TranscriptEntry = { type: "compaction", stage: "trim" };
const SUMMARY: TranscriptEntry = { type: "compaction", stage: "summary", text: "index.md was read." };

/** The model reads a file of so many characters. */
function reading(id: string, characters: number, { text = "" }: { text?: string } = {}): TranscriptEntry[] {
  const content: Answer["content"] = [
    ...(text === "" ? [] : [{ type: "text" as const, text }]),
    { type: "tool-call", toolCallId: id, toolName: "read_file", input: { path: `${id}.md` } },
  ];
  return [
    { type: "answer", content, finishReason: "tool-calls", usage: { inputTokens: 100, outputTokens: 10 } },
    {
      type: "tool-result",
      toolCallId: id,
      toolName: "read_file",
      output: { type: "text", value: "x".repeat(characters) },
    },
  ];
}

function charactersOf(entries: readonly TranscriptEntry[]): number {
  return JSON.stringify(entries).length;
}

describe("a conversation that is too long", () => {
  it("is measured by what the provider counted, and what came since", () => {
    const transcript = [PROMPT, ...reading("a", 3_000)];
    expect(estimateTokens(transcript)).toBeGreaterThan(110 + 1_000);
    expect(estimateTokens(transcript)).toBeLessThan(110 + 1_200);
    expect(isTooLong(transcript, 1_600)).toBe(false);
    expect(isTooLong(transcript, 1_400)).toBe(true);
    expect(nextAction(transcript, { contextTokens: 1_400 })).toEqual({ type: "compact", stage: "summary" });
    expect(nextAction(transcript, { contextTokens: 1_600 })).toEqual({ type: "call-model" });
  });

  it("loses old results first, but for the latest ones", () => {
    const transcript = [PROMPT, ...reading("a", 5_000), ...reading("b", 400), ...reading("c", 5_000)];
    expect(nextCompaction(transcript)).toEqual({ stage: "trim" });
    const visible = visibleTranscript([...transcript, TRIM]);
    const results = visible.flatMap((entry) => (entry.type === "tool-result" ? [entry.output.value] : []));
    expect(results[0]).toMatch(/^\[Shortened by Docent .*5000 characters.*Call the tool again/);
    expect(results.slice(1).map((text) => JSON.stringify(text).length - 2)).toEqual([400, 5_000]);
    expect(messageFaults(toModelMessages([...transcript, TRIM]))).toEqual([]);
    // What comes later is whole, until the next time.
    const later = [...transcript, TRIM, ...reading("d", 5_000)];
    expect(charactersOf(visibleTranscript(later))).toBeGreaterThan(10_000);
  });

  it("is summarised when that saves little, or did not help", () => {
    const talk = [PROMPT, ...reading("a", 100, { text: "y".repeat(9_000) }), ...reading("b", 100)];
    expect(nextCompaction(talk)).toEqual({ stage: "summary" });
    const trimmed = [PROMPT, ...reading("a", 9_000), ...reading("b", 100), TRIM];
    expect(nextCompaction(trimmed)).toEqual({ stage: "summary" });
    const summarised = [...trimmed, SUMMARY];
    const visible = visibleTranscript(summarised);
    expect(visible).toMatchObject([
      PROMPT,
      { type: "note", text: expect.stringMatching(/Read a file again.*index\.md was read/s) },
    ]);
    expect(messageFaults(toModelMessages(summarised))).toEqual([]);
    expect(nextAction(summarised, { contextTokens: 100_000 })).toEqual({ type: "call-model" });
  });

  it("keeps the plan", () => {
    const todos = [{ content: "Rename it in guides/", status: "in_progress" }];
    const content: Answer["content"] = [
      { type: "tool-call", toolCallId: "t", toolName: "todo_write", input: { todos } },
    ];
    const visible = visibleTranscript([
      PROMPT,
      { type: "answer", content, finishReason: "tool-calls", usage: { inputTokens: 1, outputTokens: 1 } },
      { type: "tool-result", toolCallId: "t", toolName: "todo_write", output: { type: "text", value: "ok" } },
      SUMMARY,
    ]);
    expect(visible[1]).toMatchObject({ text: expect.stringContaining("- in_progress: Rename it in guides/") });
  });

  it("keeps the instruction that is worked on word for word", () => {
    const old: TranscriptEntry = { type: "prompt", text: "z".repeat(50_000) };
    const latest: TranscriptEntry = { type: "prompt", text: "w".repeat(50_000) };
    const visible = visibleTranscript([old, ...reading("a", 10), latest, ...reading("b", 10), SUMMARY]);
    expect(visible[1]).toEqual(latest);
    expect(charactersOf(visible.slice(0, 1))).toBeLessThan(2_100);
  });

  it("ends the turn when nothing can be saved, and after so many summaries", () => {
    expect(nextCompaction([PROMPT])).toMatchObject({ impossible: expect.stringContaining("instruction is too long") });
    expect(nextCompaction([PROMPT, ...reading("a", 10), SUMMARY])).toHaveProperty("impossible");
    const transcript: TranscriptEntry[] = [PROMPT];
    for (let count = 0; count < SUMMARIES_MAX; count += 1) {
      transcript.push(...reading(`r${count}`, 10, { text: "y".repeat(500) }));
      expect(nextCompaction(transcript)).toEqual({ stage: "summary" });
      transcript.push(SUMMARY);
    }
    transcript.push(...reading("last", 10, { text: "y".repeat(500) }));
    expect(nextCompaction(transcript)).toMatchObject({ impossible: expect.stringContaining("summarised 3 times") });
    // A new message is a new turn.
    expect(nextCompaction([...transcript, PROMPT, ...reading("more", 10)])).toEqual({ stage: "summary" });
  });

  it("takes with it what the model knew of files", async () => {
    const { workspace, close } = await createTestWorkspace({ "a.md": "A\n", "b.md": "B\n" });
    const paths = await openPaths(workspace);
    await close();
    const transcript = [PROMPT, ...reading("a", 5_000), ...reading("b", 5_000)];
    const knows = (entries: TranscriptEntry[]) => ["a.md", "b.md"].filter((path) => isKnownFile(entries, paths, path));
    expect(knows(transcript)).toEqual(["a.md", "b.md"]);
    expect(knows([...transcript, TRIM])).toEqual(["b.md"]);
    expect(knows([...transcript, SUMMARY])).toEqual([]);
    expect(knows([...transcript, SUMMARY, ...reading("a", 10)])).toEqual(["a.md"]);
  });
});
