import { createCipheriv } from "node:crypto";
import { once } from "node:events";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { runGit, spawnGit } from "../../server/src/git/git.ts";
import { createRandom, navigation, pagePath, PAGES, pageText } from "./pages.ts";

const SEED = 20_260_101;
const COMMITS = 20;
const MB = 1024 * 1024;
/** 960 MB that do not compress: images in the tree, and downloads of which most versions are only in the history. */
const ASSETS = [
  { count: 320, bytes: MB / 2, path: (index: number) => `images/diagram-${index + 1}.png` },
  { count: 200, bytes: 2 * MB, path: (index: number) => `images/screens/screen-${index + 1}.png` },
  { count: 50, bytes: 8 * MB, path: (index: number) => `downloads/sdk-${(index % 5) + 1}.zip` },
];

/** Writes a bare repository of 1 GB with 5,000 pages in 20 commits; always the same one. */
export async function createBigRepository(gitDir: string): Promise<void> {
  await runGit(["init", "--bare", "--quiet", gitDir]);
  // Writing it is not what is measured: no deltas and no compression, of which there is little to gain here.
  const git = spawnGit(["fast-import", "--quiet", "--done", "--depth=0"], {
    gitDir,
    config: { "core.compression": "0" },
  });
  let stderr = "";
  git.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString("utf8")));
  const ended = once(git, "close");
  await pipeline(Readable.from(writeHistory()), git.stdin);
  const [code] = await ended;
  if (code !== 0) throw new Error(`git fast-import failed: ${stderr}`);
}

function* writeHistory(): Generator<Buffer> {
  const random = createRandom(SEED);
  const noise = createCipheriv("aes-128-ctr", Buffer.alloc(16, SEED % 251), Buffer.alloc(16));
  const zeros = Buffer.alloc(8 * MB);
  for (let commit = 0; commit < COMMITS; commit += 1) {
    const when = `${1_700_000_000 + commit * 86_400} +0000`;
    yield Buffer.from(`commit refs/heads/main\ncommitter Acme <docs@acme.example> ${when}\n`);
    yield data(Buffer.from(`Write part ${commit + 1} of the documentation\n`));
    if (commit === 0) yield* file("docs.json", Buffer.from(navigation()));
    for (const index of share(PAGES, commit)) yield* file(pagePath(index), Buffer.from(pageText(index, random)));
    for (const { count, bytes, path } of ASSETS) {
      for (const index of share(count, commit)) yield* file(path(index), noise.update(zeros.subarray(0, bytes)));
    }
  }
  yield Buffer.from("done\n");
}

/** The indices of `count` things that one commit adds. */
function share(count: number, commit: number): number[] {
  const start = Math.floor((count * commit) / COMMITS);
  const end = Math.floor((count * (commit + 1)) / COMMITS);
  return Array.from({ length: end - start }, (_, index) => start + index);
}

function* file(path: string, content: Buffer): Generator<Buffer> {
  yield Buffer.from(`M 100644 inline ${path}\n`);
  yield data(content);
}

function data(content: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`data ${content.length}\n`), content, Buffer.from("\n")]);
}
