import { expect, test } from "vitest";
import type { Proposal } from "./proposal.ts";
import { addToBody, commitMessage, pullRequestText } from "./pull-request-text.ts";

const proposal = (files: number): Proposal => ({
  changes: Array.from({ length: files }, (_, i) => ({ path: `p${i}.mdx`, mode: "100644", content: Buffer.from("x") })),
  refusals: [],
  introduced: [],
  mdxCode: [],
});

const base = {
  title: "Rename Hub",
  summary: "Renamed it.",
  model: "docent:offline",
  costUsd: 0,
  jobId: "job_1",
  commit: "1".repeat(40),
  existing: null,
};

test("a pull request says what changed, in which files, what the checks say, the instruction and the model", () => {
  const { title, body } = pullRequestText({ ...base, prompts: ['replace "a"\nwith "b"'], proposal: proposal(60) });
  expect(title).toBe("Rename Hub");
  expect(body).toContain("**60 files changed**");
  expect(body).toContain("- and 10 more");
  expect(body).toContain("found no new problem");
  expect(body).toContain('> replace "a"\n> with "b"');
  expect(body).toContain("`docent:offline`, job `job_1`");
});

test("what was left is listed", () => {
  const left = { kind: "link", path: "a.mdx", line: 4, column: 1, message: "/x does not exist" } as const;
  const body = pullRequestText({
    ...base,
    prompts: ["x"],
    proposal: {
      ...proposal(1),
      introduced: [left],
      mdxCode: [{ path: "a.mdx", code: ["import X from '../x'"] }],
    },
  }).body;
  expect(body).toContain("found 1 new problem");
  expect(body).toContain("- `a.mdx:4`: /x does not exist");
  expect(body).toContain("`import X from '../x'`");
});

test("a follow-up keeps the title and adds to the body", () => {
  const existing = { title: "A person's title", body: "First.\n" };
  const text = pullRequestText({ ...base, existing, prompts: ["more"], proposal: proposal(1) });
  expect(text.title).toBe("A person's title");
  expect(text.body.startsWith("First.\n\n---\n\n### Follow-up: Rename Hub (`1111111`)")).toBe(true);
  expect(addToBody(text.body, text.addition ?? "")).toBe(text.body);
  const again = pullRequestText({
    ...base,
    commit: "2".repeat(40),
    existing: text,
    prompts: ["more"],
    proposal: proposal(1),
  });
  expect(again.body.match(/### Follow-up/g)).toHaveLength(2);
});

test.each(["/merge", "  /assign @ada", "/label ~x\r", "/Target_branch main", "/tableflip"])(
  "a line that code hosts or their bots would carry out is text: %j",
  (command) => {
    const summary = `Renamed it.\n${command}\n\n\`\`\`sh\n/usr/bin/env node\n\`\`\`\nSee /merge.`;
    const text = { ...base, summary, title: `Rename Hub\n${command}`, prompts: [command], proposal: proposal(1) };
    for (const existing of [null, { title: "T", body: "B" }]) {
      const { body } = pullRequestText({ ...text, existing });
      expect(body).not.toMatch(/^\s*\/[a-z_]+(\s|$)/im);
      expect(body).toContain(`\n${command.trimEnd().replace("/", "\\/")}`);
      expect(body).toContain("\n/usr/bin/env node\n");
    }
  },
);

test("a commit's message ends with its job", () => {
  const plain = { trailers: [] };
  expect(commitMessage("T", "S", "job_1", plain)).toBe("T\n\nS\n\nDocent-Job: job_1\n");
  expect(commitMessage("T", "", "job_1", plain)).toBe("T\n\nDocent-Job: job_1\n");
  const trailers = ["Co-authored-by: A <a@example.com>", "Signed-off-by: B <b@example.com>"];
  expect(commitMessage("T", "S", "job_1", { trailers })).toBe(`T\n\nS\n\nDocent-Job: job_1\n${trailers.join("\n")}\n`);
});

test.each([
  [null, "job `job_1`.*"],
  [0, "job `job_1`.*"],
  [1.239, "job `job_1`, for $1.24.*"],
  [0.000_123, "job `job_1`, for $0.00012.*"],
])("a cost of %s is told as it is", (costUsd, end) => {
  expect(pullRequestText({ ...base, costUsd, prompts: ["x"], proposal: proposal(1) }).body).toContain(end);
});
