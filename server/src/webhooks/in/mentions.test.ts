import { expect, test } from "vitest";
import { mentions } from "./mentions.ts";

test.each([
  "@docent shorten the introduction",
  "Please, @Docent: shorten it.",
  "(@docent)",
  "Can you, @docent?",
  "> she said no\n\n@docent do it anyhow",
  "```\ncode\n```\n@docent",
  "use `this` @docent",
  "@acme-docs do it",
  "do it @docent.",
])("%j calls", (text) => expect(mentions(text, ["docent", "acme-docs"])).toBe(true));

test.each([
  "docent, do it",
  "@docentish",
  "@docent-team",
  "mail me@docent.example",
  "see https://x.example/@docent",
  "@acme/docent",
  "> @docent do it",
  "   > quoted @docent",
  "`@docent`",
  "``@docent``",
  "```\n@docent\n```",
  "~~~md\n@docent",
  "@docent.example",
  "",
])("%j does not", (text) => expect(mentions(text, ["docent"])).toBe(false));

test("a comment made to be slow to read is read all the same", () => {
  const length = 60_000;
  for (const text of [`a${"`".repeat(length)}`, "``a`".repeat(length), "> ".repeat(length), "@docen".repeat(length)]) {
    expect(mentions(text, ["docent"])).toBe(false);
  }
});
