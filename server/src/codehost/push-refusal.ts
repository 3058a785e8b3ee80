import type { GitError } from "../git/git.ts";
import { CodeHostError, type CodeHostErrorCode } from "./codehost.ts";

const SAID_CHARACTERS_MAX = 400;

interface Rule {
  pattern: RegExp;
  code: CodeHostErrorCode;
  /** What happened. What the code host said follows it. */
  what: string;
  /** What to do. */
  advice: string;
}

/**
 * What code hosts answer to git, the particular before the general. The texts are those of GitHub.com, of GitLab
 * (`lib/gitlab/git_access.rb`, `lib/gitlab/checks/`), of Gitea and Forgejo (`routers/web/repo/githttp.go`,
 * `routers/private/hook_pre_receive.go`), and of git itself.
 */
const RULES: readonly Rule[] = [
  {
    pattern: /temporarily read-only|read-only GitLab instance|returned error: 429/,
    code: "unavailable",
    what: "The code host takes no pushes at this moment.",
    advice: "Send the instruction again later.",
  },
  {
    pattern: /\barchived\b|mirror repository is read-only/i,
    code: "repository_archived",
    what: "The repository is archived, or read-only, and takes no changes.",
    advice: "Unarchive it, then send the instruction again.",
  },
  {
    pattern: /cannot contain secrets|push protection|secrets detected/i,
    code: "invalid",
    what: "The code host found something like a secret in the changes and refused them.",
    advice: "Send an instruction that takes it out, or allow it on the code host.",
  },
  {
    pattern: /GH006|protected branch|branch .+ is protected|create protected branches/i,
    code: "branch_protected",
    what: "The branch is protected on its code host.",
    advice: "Exempt the branches docent/* from its protection, or let Docent's account push to them.",
  },
  {
    pattern: /GH013|repository rule violations/i,
    code: "branch_protected",
    what: "A rule of the repository forbids the push.",
    advice: "Exempt the branches docent/* from it, or let Docent's account bypass it.",
  },
  {
    // Mirrors are shallow: git sends no history that the repository has lost.
    pattern: /shallow update not allowed/,
    code: "base_branch_missing",
    what: "The commit that the work started from is not in the repository any more: its branch was rewritten or deleted.",
    advice: "Send the instruction again.",
  },
  {
    pattern: /create or update workflow/i,
    code: "permission_missing",
    what: "The branch holds changed workflows, which this credential may not push.",
    advice: "Grant it workflows: for a classic token the scope workflow, else the permission Workflows: write.",
  },
  {
    pattern: /GH007|private email address/i,
    code: "invalid",
    what: "The code host does not publish the e-mail address that the commits bear.",
    advice: "Give the project another one in its commit settings.",
  },
  {
    pattern:
      /GH001|file size limit|larger than the allowed size|exceeds? (the )?(maximum|allowed)|returned error: 413/i,
    code: "invalid",
    what: "A changed file, or the push as a whole, is larger than the code host allows.",
    advice: "Leave large files out, or raise the limit there.",
  },
  {
    pattern:
      /does not follow the pattern|forbidden pattern|not a member of team|must be signed|(verified|unverified) (signature|email)/i,
    code: "invalid",
    what: "A push rule of the repository refused the commit.",
    advice: "Set the project's commit settings (name, e-mail, sign-off, signature) as the rule wants them.",
  },
  {
    pattern:
      /authentication failed|could not read (username|password)|invalid username or|access denied|returned error: 401|account (has been|is) (blocked|disabled|suspended)/i,
    code: "credential_refused",
    what: "The code host does not accept the project's credential for git.",
    advice: "It has expired, was revoked or lacks access to repositories: give the project a new one.",
  },
  {
    pattern:
      /permission to .+ denied|write access to repository not granted|not allowed to (push|upload|download)|permission denied for writing|required scope|returned error: 403/i,
    code: "permission_missing",
    what: "The project's credential may not do this with git in this repository.",
    advice:
      "Grant it the right to write code (GitHub Contents: write, GitLab write_repository and the role Developer, Gitea write:repository).",
  },
  {
    pattern: /returned error: 30[1278]/,
    code: "not_found",
    what: "The repository has moved, and credentials are not sent after it.",
    advice: "Make a project with its new address.",
  },
  {
    pattern: /repository .*not found|could not be found|returned error: 404/i,
    code: "not_found",
    what: "The code host has no such repository, or not for this credential.",
    advice:
      "Check its name, and that the credential has access to it: a private repository looks missing to those without.",
  },
  {
    pattern: /hook declined/,
    code: "invalid",
    what: "A rule of the code host's own refused the push.",
    advice: "Change the rule there, or the project's settings so that its commits satisfy it.",
  },
];

/**
 * What a failed fetch or push means, as far as the code host refused it for a reason to act on. Undefined for what may
 * pass, or what says nothing: broken connections, errors of the server, git's own.
 */
export function describePushRefusal({ stderr }: GitError): CodeHostError | undefined {
  const rule = RULES.find(({ pattern }) => pattern.test(stderr));
  if (rule === undefined) return undefined;
  const said = whatItSaid(stderr);
  return new CodeHostError(rule.code, [rule.what, ...(said === "" ? [] : [`It says: ${said}`]), rule.advice].join(" "));
}

/** The remote's own words as one line, without drawing and links; else why git says that it was rejected. */
function whatItSaid(stderr: string): string {
  const lines = stderr.split("\n").flatMap((line) => {
    const [, said] = /^remote:\s*(.*)$/.exec(line.trimEnd()) ?? [];
    if (said === undefined || isNoise(said)) return [];
    return [said.replaceAll(/^(error|fatal):\s*|^- |—+\s*/gi, "")];
  });
  const [, rejected] = /! \[remote rejected\].*\((.+)\)/.exec(stderr) ?? [];
  const text = lines.length > 0 ? lines.map(asSentence).join(" ") : rejected === undefined ? "" : asSentence(rejected);
  return text.length <= SAID_CHARACTERS_MAX ? text : `${text.slice(0, SAID_CHARACTERS_MAX)}…`;
}

const NOISE =
  /^(resolving deltas|processed \d|counting|compressing|warning:|resolve the following|locations:|- commit:)|https?:|\(\?\)/i;

function isNoise(said: string): boolean {
  return !/[A-Za-z]/.test(said) || NOISE.test(said);
}

function asSentence(text: string): string {
  const whole = text.trim();
  return /[.!?:]$/.test(whole) ? whole : `${whole}.`;
}
