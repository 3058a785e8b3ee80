import { Readable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { createSpinner, lastWords, shorten } from "./spinner.ts";
import { formatAge, formatFields, formatTable } from "./table.ts";
import { createTerminal } from "./terminal.ts";

function capture(options: { isTTY?: boolean; env?: Record<string, string> } = {}) {
  const written: string[] = [];
  const stream = { write: (text: string) => written.push(text), isTTY: options.isTTY ?? false, columns: 40 };
  const terminal = createTerminal(
    { stdin: Readable.from(["in", "put"]), stdout: stream, stderr: stream },
    options.env ?? {},
  );
  return { terminal, output: () => written.join("") };
}

test.each([
  [{ isTTY: true, env: {} }, true],
  [{ isTTY: false, env: {} }, false],
  [{ isTTY: true, env: { NO_COLOR: "1" } }, false],
  [{ isTTY: true, env: { NO_COLOR: "", TERM: "xterm" } }, true],
  [{ isTTY: true, env: { TERM: "dumb" } }, false],
  [{ isTTY: false, env: { FORCE_COLOR: "1" } }, true],
  [{ isTTY: true, env: { FORCE_COLOR: "0" } }, false],
  [{ isTTY: true, env: { FORCE_COLOR: "1", NO_COLOR: "1" } }, false],
])("colours for %j: %s", (options, coloured) => {
  const { terminal } = capture(options);
  expect(terminal.style("red", "x") !== "x").toBe(coloured);
});

test("standard input is read to its end", async () => {
  expect(await capture().terminal.readInput()).toBe("input");
});

test("a table's columns line up and its last one is not padded", () => {
  const { terminal } = capture();
  const table = formatTable(
    terminal,
    ["ID", "NAME"],
    [
      ["a", "one"],
      ["bcd", "twenty-two"],
    ],
  );
  expect(table).toBe("ID   NAME\na    one\nbcd  twenty-two\n");
  expect(
    formatFields(terminal, [
      ["id", "1"],
      ["state", "ready"],
    ]),
  ).toBe("id     1\nstate  ready\n");
});

test("without a terminal a spinner writes finished lines and nothing else", () => {
  const { terminal, output } = capture();
  const spinner = createSpinner(terminal);
  spinner.show("working");
  spinner.line("done");
  spinner.stop();
  expect(output()).toBe("done\n");
});

test("on a terminal the live line is taken away and the cursor comes back", () => {
  const { terminal, output } = capture({ isTTY: true });
  const spinner = createSpinner(terminal);
  spinner.show("working ".repeat(20));
  spinner.line("done");
  spinner.stop();
  const end = output();
  expect(end.endsWith("\r\u001b[2K\u001b[?25h")).toBe(true);
  const lines = stripVTControlCharacters(end).split(/[\r\n]/);
  expect(lines.every((line) => line.length < 40)).toBe(true);
  expect(lines).toContain("done");
});

test("texts are cut by characters and the cut is marked", () => {
  expect(shorten("abc", 3)).toBe("abc");
  expect(shorten("abcd", 3)).toBe("ab…");
  expect(shorten("🙂🙂🙂", 2)).toBe("🙂…");
});

test.each([
  ["All of it.", 10, "All of it."],
  ["First this,\n\n  then that.", 12, "…then that."],
  ["  \u001b[31mred\u0007 ", 20, "[31mred"],
  ["unbreakable", 5, "…able"],
  ["🙂🙂🙂", 2, "…🙂"],
])("the last words of %j in %i characters", (text, width, expected) => {
  expect(lastWords(text, width)).toBe(expected);
});

test.each([
  ["2026-01-02T11:59:30Z", "just now"],
  ["2026-01-02T11:15:00Z", "45 min ago"],
  ["2026-01-02T02:00:00Z", "10 h ago"],
  ["2025-12-24T02:00:00Z", "2025-12-24"],
])("the age of %s", (createdAt, age) => {
  expect(formatAge(createdAt, new Date("2026-01-02T12:00:00Z"))).toBe(age);
});
