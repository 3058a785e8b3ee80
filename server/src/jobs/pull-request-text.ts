import type { PullRequestContent } from "../codehost/codehost.ts";
import { plural } from "../plural.ts";
import type { Proposal } from "./proposal.ts";
import { withoutCommands } from "./slash-commands.ts";

const FILES_LISTED_MAX = 50;
const PROBLEMS_LISTED_MAX = 20;

export interface PullRequestText extends PullRequestContent {
  /** What a follow-up adds to the end of the body; null when the pull request is new. */
  addition: string | null;
}

/** Title and body of a pull request: what changed and why, the files, what the checks say, the instruction, the model. */
export function pullRequestText(options: {
  title: string;
  summary: string;
  prompts: readonly string[];
  proposal: Proposal;
  model: string;
  /** Of the job so far, follow-ups included; null when the model's price is not known. */
  costUsd: number | null;
  jobId: string;
  commit: string;
  /** The pull request that a follow-up goes on with: it keeps its title, and its body grows. */
  existing: PullRequestContent | null;
}): PullRequestText {
  const { title, summary, prompts, proposal, model, costUsd, jobId, commit, existing } = options;
  const section = [
    summary.trim(),
    `**${plural(proposal.changes.length, "file")} changed**\n\n${fileList(proposal)}`,
    checks(proposal),
    proposal.mdxCode.length === 0
      ? ""
      : `**New code in MDX, please read:**\n\n${proposal.mdxCode.map(({ path, code }) => `- \`${path}\`: ${code.map((c) => `\`${c}\``).join(", ")}`).join("\n")}`,
    `**Instruction**\n\n${prompts.map(quote).join("\n>\n")}`,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
  if (existing !== null) {
    // The commit tells two follow-ups apart that say the same.
    const cost = costUsd === null || costUsd === 0 ? "" : `\n*${formatCost(costUsd)} for the job so far.*\n`;
    const heading = `### Follow-up: ${title} (\`${commit.slice(0, 7)}\`)`;
    const addition = withoutCommands(`---\n\n${heading}\n\n${section}\n${cost}`);
    return { title: existing.title, body: addToBody(existing.body, addition), addition };
  }
  const cost = costUsd === null || costUsd === 0 ? "" : `, for ${formatCost(costUsd)}`;
  const body = `${withoutCommands(section)}\n\n*Made by Docent with \`${model}\`, job \`${jobId}\`${cost}.*\n`;
  return { title, body, addition: null };
}

/** A body with what a follow-up adds to it; the same body when that is in it already. */
export function addToBody(body: string, addition: string): string {
  return body.includes(addition.trimEnd()) ? body : `${body.trimEnd()}\n\n${addition}`;
}

/** The commit's message. */
export function commitMessage(
  title: string,
  summary: string,
  jobId: string,
  { trailers }: { trailers: readonly string[] },
): string {
  const body = summary.trim();
  const end = [`Docent-Job: ${jobId}`, ...trailers].join("\n");
  return `${title}\n\n${body === "" || body === title ? "" : `${body}\n\n`}${end}\n`;
}

/** Below a cent the first two digits that say something. */
function formatCost(usd: number): string {
  return `$${usd >= 0.01 ? usd.toFixed(2) : usd.toPrecision(2)}`;
}

function fileList({ changes }: Proposal): string {
  const lines = changes
    .slice(0, FILES_LISTED_MAX)
    .map(({ path, content }) => `- \`${path}\`${content === null ? " (deleted)" : ""}`);
  if (changes.length > FILES_LISTED_MAX) lines.push(`- and ${changes.length - FILES_LISTED_MAX} more`);
  return lines.join("\n");
}

function checks({ introduced }: Proposal): string {
  if (introduced.length === 0) return "The documentation checks found no new problem.";
  const lines = introduced
    .slice(0, PROBLEMS_LISTED_MAX)
    .map(({ path, line, message }) => `- \`${path}:${line}\`: ${message}`);
  if (introduced.length > PROBLEMS_LISTED_MAX) lines.push(`- and ${introduced.length - PROBLEMS_LISTED_MAX} more`);
  return `**The documentation checks found ${plural(introduced.length, "new problem")}:**\n\n${lines.join("\n")}`;
}

function quote(text: string): string {
  return text
    .trim()
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
}
