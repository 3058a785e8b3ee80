import { expect, test } from "vitest";
import type { JobEvent } from "@docent/sdk";
import { createJobSteps, type JobStep } from "./job-step.ts";

function stepsOf(...entries: [JobEvent["type"], Record<string, unknown>][]): JobStep[] {
  const steps = createJobSteps();
  return entries.flatMap(([type, data], index) =>
    steps({ position: index + 1, type, data, createdAt: "2026-01-01T00:00:00.000Z" }),
  );
}

function call(toolName: string, input: unknown, value: unknown): [JobEvent["type"], Record<string, unknown>][] {
  const type = typeof value === "string" ? "text" : "json";
  return [
    ["answer", { content: [{ type: "tool-call", toolCallId: "1", toolName, input }] }],
    ["tool-result", { toolCallId: "1", toolName, output: { type, value } }],
  ];
}

test.each([
  ["edit_file", { path: "a.mdx" }, "ok", "changed", "Edited a.mdx"],
  ["read_file", { path: "a.mdx" }, "1→x", "looked", "Read a.mdx"],
  ["move_file", { from: "a.mdx", to: "b.mdx" }, {}, "changed", "Moved a.mdx to b.mdx"],
  ["check_docs", {}, { total: 0 }, "changed", "Checked the docs: no problems"],
  ["check_docs", {}, { total: 1 }, "changed", "Checked the docs: 1 problem"],
  ["a_tool_of_tomorrow", { path: "a" }, {}, "changed", "Ran a_tool_of_tomorrow"],
])("%s %j is one line when it is done", (tool, input, value, kind, text) => {
  expect(stepsOf(...call(tool, input, value)).at(-1)).toEqual({ kind, text });
});

test("a tool's refusal says which call and why, in one line", () => {
  const steps = stepsOf(
    ["answer", { content: [{ type: "tool-call", toolCallId: "1", toolName: "edit_file", input: { path: "ci.yml" } }] }],
    [
      "tool-result",
      { toolCallId: "1", toolName: "edit_file", output: { type: "error-text", value: "Not allowed.\nMore." } },
    ],
  );
  expect(steps.at(-1)).toEqual({ kind: "refused", text: "Editing ci.yml: Not allowed. …" });
});

test("what the model says is shown by its first line; nothing said is nothing shown", () => {
  const content = [
    { type: "text", text: "\n I will look first.\nThen edit." },
    { type: "text", text: " " },
  ];
  expect(stepsOf(["answer", { content }])).toEqual([{ kind: "said", text: "I will look first. …" }]);
});

test("events of any shape are shown somehow and never throw", () => {
  const shapes: Record<string, unknown>[] = [
    {},
    { content: "text" },
    { content: [null, 1, { type: "tool-call" }] },
    { output: null },
    { output: { type: "json", value: [1] }, toolName: 7 },
  ];
  for (const data of shapes) {
    for (const type of ["message", "answer", "tool-result", "publish", "note", "turn-end", "status"] as const) {
      expect(() => stepsOf([type, data])).not.toThrow();
    }
  }
});
