import { cp, readdir } from "node:fs/promises";
import { runGit } from "../../server/src/git/git.ts";

const PERSON = { name: "Ada Lindqvist", email: "ada@lantern.example" };

/**
 * Makes a git repository of the sample documentation, as a team's own would be.
 * @returns the number of pages.
 */
export async function makeSampleRepository(source: string, directory: string): Promise<number> {
  await cp(source, directory, { recursive: true });
  const git = (...args: string[]) =>
    runGit(["-C", directory, ...args], {
      env: {
        GIT_AUTHOR_NAME: PERSON.name,
        GIT_AUTHOR_EMAIL: PERSON.email,
        GIT_COMMITTER_NAME: PERSON.name,
        GIT_COMMITTER_EMAIL: PERSON.email,
      },
    });
  await git("init", "--quiet", "--initial-branch=main");
  await git("add", "--all");
  await git("commit", "--quiet", "--message=Document Lantern 2.4");
  const files = await readdir(directory, { recursive: true });
  return files.filter((path) => path.endsWith(".mdx") && !path.startsWith("snippets")).length;
}
