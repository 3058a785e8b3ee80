import { runGit } from "../../git/git.ts";

/** The files of a new documentation repository: the least that Mintlify renders. */
function starterFiles(title: string): Record<string, string> {
  const docs = {
    $schema: "https://mintlify.com/docs.json",
    theme: "mint",
    name: title,
    colors: { primary: "#0F766E" },
    navigation: { groups: [{ group: "Get started", pages: ["index"] }] },
  };
  return {
    "docs.json": `${JSON.stringify(docs, null, 2)}\n`,
    "index.mdx": `---\ntitle: Introduction\ndescription: Welcome to the documentation.\n---\n\nThis documentation has just begun. Ask Docent for a page, or push one yourself.\n`,
  };
}

/** Puts one commit with the starter files on `main` of an empty bare repository. */
export async function commitStarter(gitDir: string, title: string, now: Date): Promise<void> {
  const message = "Begin the documentation\n";
  const parts = [
    "commit refs/heads/main",
    `committer Docent <docent@localhost> ${Math.floor(now.getTime() / 1000)} +0000`,
    `data ${Buffer.byteLength(message)}`,
    message,
    ...Object.entries(starterFiles(title)).flatMap(([path, content]) => [
      `M 100644 inline ${path}`,
      `data ${Buffer.byteLength(content)}`,
      content,
    ]),
    "done\n",
  ];
  await runGit(["fast-import", "--quiet", "--done"], { gitDir, stdin: parts.join("\n") });
}
