import type { PullRequestDetails } from "../../codehost/builtin/builtin.ts";
import type { ComparedCommit, ComparedFile } from "../../codehost/builtin/comparison.ts";
import { plural } from "../../plural.ts";
import { fileAnchor, renderCounts, renderFiles } from "./diff.ts";
import { markup, type Html } from "./html.ts";
import { splitPatch } from "./patch.ts";

/** Files that are listed. More are only counted. */
const FILES_MAX = 500;

export interface PullRequestPage {
  projectName: string;
  /** `/projects/{id}/pull/{number}` */
  path: string;
  repositoryUrl: string;
  details: PullRequestDetails;
  /** The pull request's body, rendered. */
  summary: Html;
  /** The unified diff, and whether that is all of it. */
  patch: string;
  patchComplete: boolean;
  /** For the merge and close buttons; null for a reader who may not press them. */
  formToken: string | null;
  /** Why the last button press did not work. */
  problem?: string;
}

function renderTime(date: Date): Html {
  if (Number.isNaN(date.getTime())) return markup`at an unknown time`;
  const text = date.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
  return markup`<time datetime="${date.toISOString()}">${text} UTC</time>`;
}

function renderEnd(details: PullRequestDetails): Html | null {
  if (details.endedAt === null) return null;
  if (details.state === "merged") return markup`<span>merged ${renderTime(details.endedAt)}</span>`;
  const how = details.branchDeleted ? "closed with its branch" : "closed";
  return markup`<span>${how} ${renderTime(details.endedAt)}</span>`;
}

function renderHead({ details, projectName }: PullRequestPage): Html {
  const { number, title, state, headBranch, baseBranch, createdAt } = details;
  return markup`<header>
    <div class="top"><strong>Docent</strong><span>${projectName}</span></div>
    <h1>${title} <span class="muted">#${number}</span></h1>
    <p class="facts">
      <span class="state ${state}">${state}</span>
      <span><span class="branch">${headBranch}</span> into <span class="branch">${baseBranch}</span></span>
      <span>opened ${renderTime(createdAt)}</span>
      ${renderEnd(details)}
    </p>
  </header>`;
}

function mergeSentence({ details }: PullRequestPage): { text: Html; possible: boolean } {
  const { merge, baseBranch } = details;
  if (merge === null) return { text: markup``, possible: false };
  if ("refused" in merge) return { text: markup`${merge.refused}`, possible: false };
  if (merge.conflicts.length === 0) {
    return { text: markup`Merges into <span class="branch">${baseBranch}</span> without conflicts.`, possible: true };
  }
  const shown = merge.conflicts.slice(0, 20);
  const more = merge.conflicts.length - shown.length;
  return {
    text: markup`Conflicts with <span class="branch">${baseBranch}</span>. Merge it into the branch, resolve, and push:
      <ul>
        ${shown.map((path) => markup`<li><code>${path}</code></li>`)}${more > 0 ? markup`<li>and ${more} more</li>` : null}
      </ul>`,
    possible: false,
  };
}

function renderMerge(page: PullRequestPage): Html | null {
  if (page.details.state !== "open") return null;
  const { text, possible } = mergeSentence(page);
  const field = (name: string, value: string | null) => markup`<input type="hidden" name="${name}" value="${value}" />`;
  const fields = [field("token", page.formToken), field("head", page.details.comparison?.to ?? null)];
  const merge = markup`<form method="post" action="${page.path}/merge">${fields}<button class="primary">Merge</button></form>`;
  const close = markup`<form method="post" action="${page.path}/close">${fields}<button>Close</button></form>`;
  const forms = page.formToken !== null && markup`<div class="actions">${possible && merge}${close}</div>`;
  return markup`<section class="card merge" aria-label="Merge">
    <div class="outlook">${text}</div>
    ${forms}
  </section>`;
}

function renderCommits(commits: readonly ComparedCommit[], total: number): Html {
  const items = commits.map(({ oid, title, message, authorName, authoredAt }) => {
    const body =
      message === ""
        ? markup`${title}`
        : markup`<details>
            <summary>${title}</summary>
            <pre>${message}</pre>
          </details>`;
    return markup`<li>
      <code class="muted">${oid.slice(0, 8)}</code>
      <span class="grow">${body}</span>
      <span class="side">${authorName}, ${renderTime(new Date(authoredAt))}</span>
    </li>`;
  });
  const left = total - commits.length;
  return markup`<h2>
      ${plural(total, "commit")}
      ${left > 0 ? markup`<span class="muted">the newest ${commits.length} are shown</span>` : null}
    </h2>
    <ul class="card list">
      ${items}
    </ul>`;
}

function sum(files: readonly ComparedFile[], side: "additions" | "deletions"): number {
  return files.reduce((total, file) => total + (file[side] ?? 0), 0);
}

function renderFileList(files: readonly ComparedFile[], total: number): Html {
  return markup`<ul class="card list">
    ${files.map(
      (file, index) =>
        markup`<li>
          <span class="grow path"><a href="#${fileAnchor(index)}">${file.path}</a></span
          >${renderCounts(file)}
        </li>`,
    )}
    ${total > files.length ? markup`<li class="muted">and ${plural(total - files.length, "more file")}</li>` : null}
  </ul>`;
}

function renderChanges(page: PullRequestPage): Html {
  const { comparison } = page.details;
  if (comparison === null) return markup`<p class="card why">Its commits are not there any more.</p>`;
  const parts = splitPatch(page.patch);
  if (!page.patchComplete) parts.pop();
  const files = comparison.files.slice(0, FILES_MAX);
  const diffPath = `${page.path}/diff`;
  const counts = { additions: sum(comparison.files, "additions"), deletions: sum(comparison.files, "deletions") };
  return markup`${renderCommits(comparison.commits, comparison.commitsTotal)}
    <h2>
      ${plural(comparison.files.length, "changed file")} ${renderCounts(counts)}
      <span class="muted"><a href="${diffPath}">diff as text</a></span>
    </h2>
    ${files.length > 1 ? renderFileList(files, comparison.files.length) : null}
    ${renderFiles(files, parts, { diffPath, imagePath: (oid) => `${page.path}/images/${oid}` })}`;
}

/** Branch names may hold what a shell acts on; this line is made to be copied. */
function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function renderCommands({ details, repositoryUrl }: PullRequestPage): Html {
  const ref = details.branchDeleted || details.state !== "open" ? `pull/${details.number}/head` : details.headBranch;
  return markup`<h2>With git</h2>
    <pre class="card commands">
git fetch ${repositoryUrl} ${shellWord(ref)}
git checkout FETCH_HEAD</pre>
    <p class="muted">
      Any user name; the password is an API key of the
      project.${details.state === "open" ? " Push to the branch, and this page shows it." : ""}
    </p>`;
}

/** The page's body. Everything on it is escaped or rendered safely; there is no script. */
export function renderPullRequestPage(page: PullRequestPage): Html {
  const { body } = page.details;
  return markup`<main class="wrap">
    ${renderHead(page)}
    ${page.problem === undefined ? null : markup`<p class="card notice" role="alert">${page.problem}</p>`}
    ${body.trim() === "" ? null : markup`<section class="card prose" aria-label="Summary">${page.summary}</section>`}
    ${renderMerge(page)} ${renderChanges(page)} ${renderCommands(page)}
  </main>`;
}
