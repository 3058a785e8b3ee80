import { runGit } from "../../../git/git.ts";

export interface HostedPullRequest {
  number: number;
  state: string;
  title: string;
  draft: boolean;
  labels: { name: string }[];
  requested_reviewers: { login: string }[];
  requested_teams: { slug: string }[];
  head: { ref: string; repo: { full_name: string } };
  base: { ref: string };
}

interface Creation {
  title?: string;
  head: string;
  base: string;
  body?: string;
  draft?: boolean;
}

type ValidationError = { resource: string; field?: string; code: string; message?: string };

/**
 * Why GitHub would not open it, where `emulate` does: 422 with these errors, or with a message alone. Texts as
 * GitHub.com answers them.
 */
export async function refuseCreation(
  creation: Creation,
  repository: { name: string; gitDir: string; refusesDrafts: boolean; open: readonly HostedPullRequest[] },
): Promise<{ errors: ValidationError[] } | { message: string } | undefined> {
  const custom = (message: string) => ({ errors: [{ resource: "PullRequest", code: "custom", message }] });
  const invalid = (field: string) => ({ errors: [{ resource: "PullRequest", field, code: "invalid" }] });
  const { head, base, body = "", title = "" } = creation;
  if (creation.draft === true && repository.refusesDrafts) {
    return { message: "Draft pull requests are not supported in this repository." };
  }
  if (body.length > 65_536) return custom("body is too long (maximum is 65536 characters)");
  if (title.length > 256) return custom("title is too long (maximum is 256 characters)");
  const isForeign = head.includes(":");
  if (!(await hasBranch(repository.gitDir, base))) return invalid("base");
  if (isForeign) return undefined;
  if (!(await hasBranch(repository.gitDir, head))) return invalid("head");
  const isDuplicate = repository.open.some(
    (each) => each.head.ref === head && each.base.ref === base && each.head.repo.full_name === repository.name,
  );
  if (isDuplicate) return custom(`A pull request already exists for ${repository.name.split("/")[0]}:${head}.`);
  const ahead = await runGit(["rev-list", "--count", `${base}..${head}`], { gitDir: repository.gitDir });
  if (ahead.stdout.toString().trim() === "0") return custom(`No commits between ${base} and ${head}`);
  return undefined;
}

async function hasBranch(gitDir: string, branch: string): Promise<boolean> {
  const { exitCode } = await runGit(["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`], {
    gitDir,
    okExitCodes: [0, 1],
  });
  return exitCode === 0;
}
