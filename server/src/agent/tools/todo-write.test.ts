import { afterEach, beforeEach, expect, it } from "vitest";
import type { JSONValue } from "@ai-sdk/provider";
import { createToolRunner } from "./run.ts";
import { currentTodos } from "./todo-write.ts";
import { createTools } from "./tools.ts";
import { createTestWorkspace, type TestWorkspace } from "../testing/test-workspace.ts";
import type { ToolOutput, TranscriptEntry } from "../transcript.ts";

let test: TestWorkspace;
let transcript: TranscriptEntry[];
beforeEach(async () => {
  test = await createTestWorkspace({ "index.md": "# Start\n" });
  transcript = [{ type: "prompt", text: "Rename it everywhere" }];
});
afterEach(() => test.close());

const runTool = createToolRunner(createTools());

async function run(toolName: string, input: JSONValue): Promise<ToolOutput> {
  const toolCallId = String(transcript.length);
  transcript.push({
    type: "answer",
    content: [{ type: "tool-call", toolCallId, toolName, input }],
    finishReason: "tool-calls",
    usage: { inputTokens: 0, outputTokens: 0 },
  });
  const { signal } = new AbortController();
  const output = await runTool({ toolCallId, toolName, input }, { workspace: test.workspace, transcript, signal });
  transcript.push({ type: "tool-result", toolCallId, toolName, output });
  return output;
}

const todo = (content: string, status: string) => ({ content, status });

it("keeps the last list that was sent, and says how far it is", async () => {
  const first = await run("todo_write", { todos: [todo("Rename", "in_progress"), todo("Check", "pending")] });
  expect(first).toEqual({ type: "text", value: "0 of 2 steps are completed. Now: Rename" });
  const second = await run("todo_write", { todos: [todo("Rename", "completed"), todo("Check", "in_progress")] });
  expect(second).toEqual({ type: "text", value: "1 of 2 steps are completed. Now: Check" });
  expect(currentTodos(transcript)).toEqual([todo("Rename", "completed"), todo("Check", "in_progress")]);
  transcript.push({ type: "prompt", text: "And now something else" });
  expect(currentTodos(transcript)).toEqual([]);
});

it.each([
  [{ todos: [] }, /todos/],
  [{ todos: [todo("a", "done")] }, /status/],
  [{ todos: [todo("", "pending")] }, /content/],
  [{ todos: [todo(" ", "pending")] }, /empty/],
  [{ todos: [todo("a", "pending"), todo("a ", "pending")] }, /twice/],
  [{ todos: [todo("a", "in_progress"), todo("b", "in_progress")] }, /2 steps are in_progress/],
  [{ todos: [todo("x".repeat(301), "pending")] }, /content/],
  [{ todos: Array.from({ length: 51 }, (_, index) => todo(String(index), "pending")) }, /todos/],
])("refuses %j, and the plan stays", async (input, reason) => {
  await run("todo_write", { todos: [todo("Rename", "pending")] });
  expect(await run("todo_write", input)).toEqual({ type: "error-text", value: expect.stringMatching(reason) });
  expect(currentTodos(transcript)).toEqual([todo("Rename", "pending")]);
});

it("holds finish up once while steps are open", async () => {
  await run("todo_write", { todos: [todo("Rename", "completed"), todo("Check links", "pending")] });
  const held = await run("finish", { title: "Rename", summary: "Done." });
  expect(held).toEqual({ type: "error-text", value: expect.stringContaining("- Check links") });
  expect(await run("finish", { title: "Rename", summary: "Links are left." })).toMatchObject({ type: "text" });
});

it("lets a finished plan go", async () => {
  await run("todo_write", { todos: [todo("Rename", "completed")] });
  expect(await run("finish", { title: "Rename", summary: "Done." })).toMatchObject({ type: "text" });
});
