import { describe, expect, test } from "vitest";
import { GitError } from "../git/git.ts";
import type { CodeHostErrorCode } from "./codehost.ts";
import { describePushRefusal } from "./push-refusal.ts";

const rejected = (why: string) =>
  `To https://code.example.com/acme/docs.git\n ! [remote rejected] docent/a -> docent/a (${why})\nerror: failed to push some refs to 'https://code.example.com/acme/docs.git'\n`;
const unable = (status: number) =>
  `fatal: unable to access 'https://code.example.com/acme/docs.git/': The requested URL returned error: ${status}\n`;

/** What the product answers, as git prints it; the code, and a part of the sentence. */
const refused: [product: string, stderr: string, code: CodeHostErrorCode, said: string][] = [
  [
    "GitHub: protected branch",
    `remote: Resolving deltas: 100% (5/5), completed with 3 local objects.\nremote: error: GH006: Protected branch update failed for refs/heads/docent/a.\nremote: \nremote: - Changes must be made through a pull request.\n${rejected("protected branch hook declined")}`,
    "branch_protected",
    "Changes must be made through a pull request.",
  ],
  [
    "GitHub: ruleset",
    `remote: error: GH013: Repository rule violations found for refs/heads/docent/a.        \nremote: Review all repository rules at https://github.com/acme/docs/rules?ref=refs%2Fheads%2Fdocent        \nremote: \nremote: - Cannot create ref due to creations being restricted.        \nremote: \n${rejected("push declined due to repository rule violations")}`,
    "branch_protected",
    "Cannot create ref due to creations being restricted.",
  ],
  [
    "GitHub: secret scanning",
    `remote: error: GH013: Repository rule violations found for refs/heads/docent/a.\nremote:\nremote: - GITHUB PUSH PROTECTION\nremote:   —————————————————————————————————————————\nremote:     Resolve the following violations before pushing again\nremote:\nremote:     - Push cannot contain secrets\nremote:\nremote:      (?) Learn how to resolve a blocked push\nremote:      https://docs.github.com/code-security/secret-scanning\nremote:       —— GitHub Personal Access Token ——————————————————————\nremote:        locations:\nremote:          - commit: 5477a7dd26384ed3c8b3814ee677f755ad27a597\nremote:            path: docs/api.mdx:34\n${rejected("push declined due to repository rule violations")}`,
    "invalid",
    "path: docs/api.mdx:34",
  ],
  [
    "GitHub: archived",
    `remote: This repository was archived so it is read-only.\n${unable(403)}`,
    "repository_archived",
    "archived so it is read-only",
  ],
  [
    "GitHub: no write access",
    `remote: Permission to acme/docs.git denied to docent.\n${unable(403)}`,
    "permission_missing",
    "Permission to acme/docs.git denied to docent.",
  ],
  [
    "GitHub: fine-grained token without contents",
    `remote: Write access to repository not granted.\n${unable(403)}`,
    "permission_missing",
    "Write access to repository not granted.",
  ],
  [
    "GitHub: bad token",
    "remote: Invalid username or token. Password authentication is not supported for Git operations.\nfatal: Authentication failed for 'https://github.com/acme/docs.git/'\n",
    "credential_refused",
    "Invalid username or token.",
  ],
  [
    "GitHub: not found",
    "remote: Repository not found.\nfatal: repository 'https://github.com/acme/docs.git/' not found\n",
    "not_found",
    "Repository not found.",
  ],
  [
    "GitHub: workflows",
    rejected(
      "refusing to allow a GitHub App to create or update workflow `.github/workflows/ci.yml` without `workflows` permission",
    ),
    "permission_missing",
    "without `workflows` permission.",
  ],
  [
    "GitHub: large file",
    `remote: warning: File img/a.gif is 62.10 MB; this is larger than GitHub's recommended maximum file size of 50.00 MB\nremote: error: Trace: 0a1b\nremote: error: See https://gh.io/lfs for more information.\nremote: error: File img/b.mov is 120.50 MB; this exceeds GitHub's file size limit of 100.00 MB\nremote: error: GH001: Large files detected. You may want to try Git Large File Storage - https://git-lfs.github.com.\n${rejected("pre-receive hook declined")}`,
    "invalid",
    "File img/b.mov is 120.50 MB",
  ],
  [
    "GitHub: private e-mail address",
    `remote: error: GH007: Your push would publish a private email address.\n${rejected("push declined due to email privacy restrictions")}`,
    "invalid",
    "private email address",
  ],
  [
    "GitLab: protected branch",
    `remote: GitLab: You are not allowed to push code to protected branches on this project.\n${rejected("pre-receive hook declined")}`,
    "branch_protected",
    "not allowed to push code to protected branches",
  ],
  [
    "GitLab: creating a protected branch",
    `remote: GitLab: You are not allowed to create protected branches on this project.\n${rejected("pre-receive hook declined")}`,
    "branch_protected",
    "create protected branches",
  ],
  [
    "GitLab: archived",
    `remote: You can't push code to an archived project.\n${unable(403)}`,
    "repository_archived",
    "archived project",
  ],
  [
    "GitLab: no access",
    `remote: You are not allowed to push code to this project.\n${unable(403)}`,
    "permission_missing",
    "not allowed to push code to this project",
  ],
  [
    "GitLab: bad token",
    "remote: HTTP Basic: Access denied. If a password was provided for Git authentication, the password was incorrect or you're required to use a token instead of a password.\nfatal: Authentication failed for 'https://gitlab.com/acme/docs.git/'\n",
    "credential_refused",
    "HTTP Basic: Access denied.",
  ],
  [
    "GitLab: not found",
    "remote: The project you were looking for could not be found or you don't have permission to view it.\nfatal: repository 'https://gitlab.com/acme/docs.git/' not found\n",
    "not_found",
    "could not be found",
  ],
  [
    "GitLab: push rule",
    `remote: GitLab: Commit message does not follow the pattern '^DOC-\\d+'\n${rejected("pre-receive hook declined")}`,
    "invalid",
    "does not follow the pattern",
  ],
  [
    "GitLab: maintenance",
    `remote: The repository is temporarily read-only. Please try again later.\n${unable(403)}`,
    "unavailable",
    "temporarily read-only",
  ],
  [
    "Gitea: protected branch",
    `remote: \nremote: Gitea: Not allowed to push to protected branch docent/a\n${rejected("pre-receive hook declined")}`,
    "branch_protected",
    "Not allowed to push to protected branch docent/a.",
  ],
  [
    "Gitea: archived",
    `remote: This repo is archived. You can view files and clone it, but cannot push or open issues/pull-requests.\n${unable(403)}`,
    "repository_archived",
    "This repo is archived.",
  ],
  [
    "Gitea: no write access",
    `remote: Gitea: User permission denied for writing.\n${rejected("pre-receive hook declined")}`,
    "permission_missing",
    "User permission denied for writing.",
  ],
  [
    "Gitea: scope",
    `remote: token does not have at least one of required scope(s), required=[write:repository], token scope=read:repository\n${unable(403)}`,
    "permission_missing",
    "required=[write:repository]",
  ],
  [
    "git: nobody to ask for a name",
    "fatal: could not read Username for 'https://code.example.com': terminal prompts disabled\n",
    "credential_refused",
    "does not accept",
  ],
  ["plain: 403", unable(403), "permission_missing", "may not do this"],
  ["plain: 401", unable(401), "credential_refused", "does not accept"],
  ["plain: 404", `fatal: repository 'https://code.example.com/acme/docs.git/' not found\n`, "not_found", "no such"],
  ["plain: moved", unable(301), "not_found", "has moved"],
  ["plain: rate limit", unable(429), "unavailable", "no pushes at this moment"],
  ["plain: body too large", unable(413), "invalid", "larger than the code host allows"],
  [
    "plain: a hook",
    `remote: No pushes on Fridays\n${rejected("pre-receive hook declined")}`,
    "invalid",
    "No pushes on Fridays.",
  ],
];

test.each(refused)("%s", (_product, stderr, code, said) => {
  const refusal = describePushRefusal(new GitError("push", 1, stderr));
  expect(refusal).toMatchObject({ code, message: expect.stringContaining(said) });
  expect(refusal?.message).not.toMatch(/\n|https?:|——|Resolving deltas/);
  expect(refusal?.message.length).toBeLessThan(650);
});

describe("what says nothing, or may pass", () => {
  test.each([
    [
      "a name that does not resolve",
      "fatal: unable to access 'https://a.example/': Could not resolve host: a.example\n",
    ],
    ["a server's error", unable(502)],
    [
      "a cut connection",
      "error: RPC failed; curl 56 GnuTLS recv error (-9)\nfatal: the remote end hung up unexpectedly\n",
    ],
    ["a branch that moved", " ! [rejected] docent/a -> docent/a (fetch first)\nerror: failed to push some refs\n"],
    ["a lock", "fatal: Unable to create '/data/mirrors/a.git/shallow.lock': File exists.\n"],
  ])("%s", (_what, stderr) => {
    expect(describePushRefusal(new GitError("push", 128, stderr))).toBeUndefined();
  });
});
