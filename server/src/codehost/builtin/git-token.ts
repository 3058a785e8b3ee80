import type { Secret } from "../../access/secret.ts";

export type GitAccess = "read" | "write";

const TOKEN_MINUTES = 10;

/** A password for git over HTTP: one repository, one kind of access, valid for 10 minutes after `now`. */
export function mintGitToken(secret: Secret, repository: string, access: GitAccess, now: Date): string {
  return secret.mint(`git ${repository} ${access}`, new Date(now.getTime() + TOKEN_MINUTES * 60_000));
}

/** What the token opens in this repository; undefined when it opens nothing. */
export function verifyGitToken(secret: Secret, token: string, repository: string, now: Date): GitAccess | undefined {
  const claims = secret.verify(token, now);
  if (claims === `git ${repository} write`) return "write";
  return claims === `git ${repository} read` ? "read" : undefined;
}
