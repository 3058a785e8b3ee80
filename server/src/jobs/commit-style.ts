import type { ProjectCredentials } from "../projects/credentials.ts";
import type { CommitSettings, ProjectSettings } from "../database/schema.ts";
import { createCommitSigner } from "../workspace/ssh-signature.ts";

/** Whose commits are Docent's, unless a project says otherwise. */
export const DOCENT = { name: "Docent", email: "docent@localhost" };

/** How a project wants its commits. */
export interface CommitStyle {
  author: { name: string; email: string };
  /** Lines at the end of the message, in git's `Key: value` form. */
  trailers: string[];
  sign?: (payload: Buffer) => string;
}

/** `refused`: commits shall be signed, and there is no key. */
export async function readCommitStyle(
  credentials: Pick<ProjectCredentials, "read">,
  project: { id: string; settings: ProjectSettings },
): Promise<CommitStyle | { refused: string }> {
  const { commits = {} } = project.settings;
  const author = { name: commits.name ?? DOCENT.name, email: commits.email ?? DOCENT.email };
  const style = { author, trailers: trailers(commits, author) };
  if (commits.sign !== true) return style;
  const key = await credentials.read(project.id, "signing-key");
  if (key === undefined) {
    return {
      refused:
        "The project's commits are to be signed, and it has no signing key. Make one (docent credential signing-key --new), or switch commits.sign off.",
    };
  }
  return { ...style, sign: createCommitSigner(key).sign };
}

function trailers({ coAuthors = [], signOff }: CommitSettings, { name, email }: CommitStyle["author"]): string[] {
  const lines = coAuthors.map((person) => `Co-authored-by: ${person}`);
  return signOff === true ? [...lines, `Signed-off-by: ${name} <${email}>`] : lines;
}
