import { existsSync } from "node:fs";
import { chmod, copyFile, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { GitRemote } from "../codehost/codehost.ts";
import { GitError } from "../git/git.ts";
import { serveRepository } from "../git/testing/http-remote.ts";
import { createTestRepository, type TestRepository } from "../git/testing/repository.ts";
import { createMirrors, type Mirror, type Mirrors } from "./mirror.ts";
import type { FileChange } from "./tree.ts";

const BLOB_BYTES_MAX = 10_000;
const AUTHOR = { author: { name: "Docent", email: "docent@example.com" }, date: new Date("2024-05-01T10:00:00Z") };
const text = (content: string) => new TextEncoder().encode(content);
const page = (path: string, content: string | null): FileChange => ({
  path,
  mode: "100644",
  content: content === null ? null : text(content),
});
const LARGE = Buffer.from(Array.from({ length: 30_000 }, (_, index) => (index * 7919) % 251));

let origin: TestRepository;
let directory: string;
let mirrors: Mirrors;

beforeEach(async () => {
  origin = await createTestRepository();
  directory = await mkdtemp(join(tmpdir(), "docent-mirrors-"));
  mirrors = createMirrors({ directory, blobBytesMax: BLOB_BYTES_MAX });
});
afterEach(async () => {
  await mirrors.close();
  await rm(directory, { recursive: true, force: true });
  await origin.remove();
});

const atUrl = (remote: GitRemote) => () => Promise.resolve(remote);
const openRemote = () => mirrors.open("remote", atUrl({ url: origin.url }));
const openInPlace = () => mirrors.open("local", atUrl({ url: origin.url, directory: origin.directory }));

describe.each([
  ["behind a URL", openRemote],
  ["on this machine", openInPlace],
])("a repository %s", (_name, open) => {
  test("branches, listings and contents", async () => {
    const commit = await origin.commit("main", {
      "docs/b.md": "b",
      "docs/a.md": "a\n",
      'z\nline "quoted" \\ é.md': "odd",
      "-n": "dash",
      run: { mode: "100755", content: "#!" },
      link: { mode: "120000", content: "docs/a.md" },
      module: { mode: "160000", content: "1".repeat(40) },
    });
    const mirror = await open();
    expect(await mirror.fetchBranch("main")).toBe(commit);
    expect(await mirror.fetchBranch("none")).toBeUndefined();
    const entries = await mirror.entries(commit);
    expect(entries.map((entry) => entry.path)).toEqual([
      "-n",
      "docs/a.md",
      "docs/b.md",
      "link",
      "module",
      "run",
      'z\nline "quoted" \\ é.md',
    ]);
    expect(entries.find((entry) => entry.path === "docs/a.md")).toMatchObject({ mode: "100644", bytes: 2 });
    expect(entries.find((entry) => entry.path === "module")).toMatchObject({ mode: "160000", bytes: 0 });
    expect(await mirror.read(entries[1]?.oid ?? "")).toEqual(Buffer.from("a\n"));
    expect(await mirror.read("1".repeat(40))).toBeUndefined();
    expect(mirror.entries(commit)).toBe(mirror.entries(commit));
  });

  test("a commit changes what it says and nothing else, and is the same everywhere", async () => {
    const large = { "docs/large.bin": LARGE };
    const modes = {
      run: { mode: "100755" as const, content: "#!" },
      "docs/link.md": { mode: "120000" as const, content: "a.md" },
      module: { mode: "160000" as const, content: "1".repeat(40) },
      "latin.txt": Buffer.from([0xe9, 0x0a]),
    };
    const parent = await origin.commit("main", {
      "docs/a.md": "a\n",
      "docs/sub/b.md": "b\n",
      file: "f",
      ...modes,
      ...large,
    });
    const mirror = await open();
    await mirror.fetchBranch("main");
    const changes = [
      page("docs/a.md", "changed\n"),
      page("docs/sub/b.md", null),
      page("file", null),
      page("file/inside.md", "now a folder"),
      page('docs/new "q" \\ \n é.md', "odd"),
      page("-n.md", "dash"),
    ];
    const content = { parent, changes, message: "Change\n\nIt.", ...AUTHOR };
    const commit = await mirror.commit(content);
    expect(await mirror.commit({ ...content, changes: [...changes] })).toBe(commit);
    expect(await mirror.push({ branch: "docent/1", commit, expected: null })).toBe("pushed");
    const before = await origin.tree(parent);
    const after = await origin.tree("docent/1");
    const untouched = ["run", "docs/link.md", "module", "latin.txt", "docs/large.bin"];
    for (const path of untouched) expect(after.get(path)).toBe(before.get(path));
    expect([...after.keys()].filter((path) => !untouched.includes(path)).sort()).toEqual(
      ["docs/a.md", "file/inside.md", 'docs/new "q" \\ \n é.md', "-n.md"].sort(),
    );
    expect(await origin.git("log", "-1", "--format=%an <%ae> %at %s|%b|%P", "docent/1")).toBe(
      `Docent <docent@example.com> ${AUTHOR.date.getTime() / 1000} Change|It.|${parent}`,
    );
    await origin.git("fsck", "--strict", "--no-dangling");
  });

  test("of two pushers one wins; the other is told, and so is one that expects an older commit", async () => {
    const base = await origin.commit("main", { "a.md": "a" });
    const mirror = await open();
    await mirror.fetchBranch("main");
    const mine = await mirror.commit({ parent: base, changes: [page("a.md", "mine")], message: "m", ...AUTHOR });
    const theirs = await mirror.commit({ parent: base, changes: [page("a.md", "theirs")], message: "t", ...AUTHOR });
    const outcomes = await Promise.all([
      mirror.push({ branch: "x", commit: mine, expected: null }),
      mirror.push({ branch: "x", commit: theirs, expected: null }),
    ]);
    expect([...outcomes].sort()).toEqual(["moved", "pushed"]);
    const winner = outcomes[0] === "pushed" ? mine : theirs;
    expect(await origin.git("rev-parse", "x")).toBe(winner);
    // Again: already there.
    expect(await mirror.push({ branch: "x", commit: winner, expected: null })).toBe("pushed");
    expect(await mirror.push({ branch: "x", commit: winner === mine ? theirs : mine, expected: base })).toBe("moved");
  });

  test("a branch that went on from the commit counts as pushed, one that left it as moved", async () => {
    const base = await origin.commit("main", { "a.md": "a" });
    const mirror = await open();
    await mirror.fetchBranch("main");
    const commit = await mirror.commit({ parent: base, changes: [page("a.md", "1")], message: "m", ...AUTHOR });
    expect(await mirror.push({ branch: "x", commit, expected: null })).toBe("pushed");
    await origin.commits(
      "x",
      Array.from({ length: 70 }, (_, count) => ({ "b.md": String(count) })),
    );
    expect(await mirror.push({ branch: "x", commit, expected: null })).toBe("pushed");
    await origin.git("update-ref", "refs/heads/x", base);
    expect(await mirror.push({ branch: "x", commit, expected: null })).toBe("moved");
    // The branch is where it was expected: it goes forward again.
    expect(await mirror.push({ branch: "x", commit, expected: base })).toBe("pushed");
  });

  test("only fast-forwards are pushed", async () => {
    const base = await origin.commit("main", { "a.md": "a" });
    const other = await origin.commit("other", { "b.md": "b" });
    const mirror = await open();
    await mirror.fetchBranch("main");
    await mirror.fetchBranch("other");
    const commit = await mirror.commit({ parent: base, changes: [page("a.md", "1")], message: "m", ...AUTHOR });
    await expect(mirror.push({ branch: "other", commit, expected: other })).rejects.toThrow(/fast-forward/);
    expect(await origin.git("rev-parse", "other")).toBe(other);
    await expect(mirror.push({ branch: "--force", commit, expected: null })).rejects.toThrow(/no branch name/);
  });

  test("ancestors are found however far back, and unrelated commits are none", async () => {
    const first = await origin.commit("main", { "a.md": "0" });
    const unrelated = await origin.commit("other", { "b.md": "b" });
    const last = await origin.commits(
      "main",
      Array.from({ length: 100 }, (_, count) => ({ "a.md": `later ${count}` })),
    );
    const mirror = await open();
    await mirror.fetchBranch("main");
    const commit = await mirror.commit({ parent: last, changes: [page("c.md", "c")], message: "m", ...AUTHOR });
    expect(await mirror.isAncestor(last, last)).toBe(true);
    expect(await mirror.isAncestor(last, commit)).toBe(true);
    expect(await mirror.isAncestor(first, commit)).toBe(true);
    expect(await mirror.isAncestor(first, last)).toBe(true);
    expect(await mirror.isAncestor(last, first)).toBe(false);
    expect(await mirror.isAncestor(unrelated, last)).toBe(false);
    expect(await mirror.isAncestor("2".repeat(40), last)).toBe(false);
  });
});

describe("a mirror of a repository behind a URL", () => {
  const mirrorFiles = async (mirror: Mirror) => (await readdir(mirror.directory, { recursive: true })).map(String);

  test("leaves large blobs out, never fetches them by itself, and still pushes after the base branch went on", async () => {
    const base = await origin.commit("main", { "docs/a.md": "a", "large.bin": LARGE });
    const mirror = await openRemote();
    await mirror.fetchBranch("main");
    const large = (await mirror.entries(base)).find((entry) => entry.path === "large.bin");
    expect(large?.bytes).toBe(BLOB_BYTES_MAX + 1);
    expect(await mirror.read(large?.oid ?? "")).toBeUndefined();
    expect(await readFile(join(mirror.directory, "config"), "utf8")).not.toMatch(/promisor|partial|origin/);
    await origin.commit("main", { "large.bin": Buffer.concat([LARGE, LARGE]), "docs/b.md": "b" });
    const commit = await mirror.commit({ parent: base, changes: [page("docs/a.md", "2")], message: "m", ...AUTHOR });
    expect(await mirror.push({ branch: "x", commit, expected: null })).toBe("pushed");
    expect((await origin.tree("x")).get("large.bin")).toBe((await origin.tree(base)).get("large.bin"));
    expect(await mirror.read(large?.oid ?? "")).toBeUndefined();
  });

  test("fetches a commit that no branch names any more, as a resumed job on another machine needs it", async () => {
    const base = await origin.commit("main", { "a.md": "1" });
    await origin.commit("main", { "a.md": "2" });
    const mirror = await openRemote();
    expect((await mirror.entries(base)).length).toBe(1);
    await expect(mirror.entries("3".repeat(40))).rejects.toThrow(/not in the repository any more/);
  });

  test("many callers at once share one mirror", async () => {
    const branches = Array.from({ length: 8 }, (_, index) => `b${index}`);
    const commits = [];
    for (const branch of branches) commits.push(await origin.commit(branch, { "a.md": branch }));
    const [mirror, again] = await Promise.all([openRemote(), openRemote()]);
    expect(mirror).toBe(again);
    const fetched = await Promise.all([...branches, ...branches].map((branch) => mirror.fetchBranch(branch)));
    expect(fetched).toEqual([...commits, ...commits]);
  });

  test("goes on after a process was killed while it held git's locks", async () => {
    await origin.commit("main", { "a.md": "1" });
    const mirror = await openRemote();
    await mirror.fetchBranch("main");
    await writeFile(join(mirror.directory, "shallow.lock"), "");
    const second = await origin.commit("main", { "a.md": "2" });
    expect(await mirror.fetchBranch("main")).toBe(second);
    await mirrors.close();
    await writeFile(join(mirror.directory, "packed-refs.lock"), "");
    await writeFile(join(mirror.directory, "refs", "docent", "bases", "x.lock"), "");
    mirrors = createMirrors({ directory, blobBytesMax: BLOB_BYTES_MAX });
    const reopened = await openRemote();
    expect((await mirrorFiles(reopened)).filter((file) => file.endsWith(".lock"))).toEqual([]);
    expect(await reopened.fetchBranch("main")).toBe(second);
  });

  test("a directory that is no repository is replaced", async () => {
    const commit = await origin.commit("main", { "a.md": "1" });
    const mirror = await openRemote();
    await mirror.fetchBranch("main");
    await mirrors.close();
    await rm(join(mirror.directory, "HEAD"));
    mirrors = createMirrors({ directory, blobBytesMax: BLOB_BYTES_MAX });
    expect(await (await openRemote()).fetchBranch("main")).toBe(commit);
  });

  // Offsets into the one pack: its objects, its end, everything.
  test.each([
    ["commit", 14, 40],
    ["tail", -60, -20],
    ["objects", 12, -20],
    ["file", 0, undefined],
  ])("a pack whose %s is damaged makes it fetch everything again", async (_what, start, end) => {
    const commit = await origin.commit("main", { "docs/a.md": "1".repeat(100), "docs/b.md": "2" });
    const mirror = await openRemote();
    await mirror.fetchBranch("main");
    await mirrors.close();
    const pack = join(mirror.directory, (await mirrorFiles(mirror)).find((file) => file.endsWith(".pack")) ?? "");
    const bytes = await readFile(pack);
    await chmod(pack, 0o644);
    bytes.subarray(start, end).fill(0xff);
    await writeFile(pack, bytes);
    mirrors = createMirrors({ directory, blobBytesMax: BLOB_BYTES_MAX });
    const reopened = await openRemote();
    expect(await reopened.fetchBranch("main")).toBe(commit);
    const entries = await reopened.entries(commit);
    expect(entries.map((file) => file.path)).toEqual(["docs/a.md", "docs/b.md"]);
    const contents = await Promise.all(entries.map((entry) => reopened.read(entry.oid)));
    expect(contents.map(String)).toEqual(["1".repeat(100), "2"]);
  });

  test("joins its packs when there are too many", async () => {
    await origin.commit("main", { "a.md": "0", "large.bin": LARGE });
    const mirror = await openRemote();
    const packsDirectory = join(mirror.directory, "objects", "pack");
    await mirror.fetchBranch("main");
    const [pack] = (await readdir(packsDirectory)).filter((file) => file.endsWith(".pack"));
    const stem = (pack ?? "").replace(/\.pack$/, "");
    for (let count = 0; count < 101; count += 1) {
      const name = `pack-${count.toString(16).padStart(40, "0")}`;
      for (const kind of ["pack", "idx", "promisor"]) {
        await copyFile(join(packsDirectory, `${stem}.${kind}`), join(packsDirectory, `${name}.${kind}`));
      }
    }
    const last = await origin.commit("main", { "a.md": "1" });
    expect(await mirror.fetchBranch("main")).toBe(last);
    expect((await mirror.entries(last)).length).toBe(2);
    const packs = (await mirrorFiles(mirror)).filter((file) => file.endsWith(".pack"));
    expect(packs.length).toBeLessThan(20);
  });
});

describe("a repository over HTTP", () => {
  const authorization = `Basic ${Buffer.from("x:sekret").toString("base64")}`;

  test("sends its credential, fetches partially and pushes", async () => {
    await origin.git("config", "http.receivepack", "true");
    const server = await serveRepository(origin.directory, { authorization });
    const base = await origin.commit("main", { "a.md": "a", "large.bin": LARGE });
    const mirror = await mirrors.open("http", atUrl({ url: server.url, authorization }));
    expect(await mirror.fetchBranch("main")).toBe(base);
    await origin.commit("main", { "large.bin": Buffer.concat([LARGE, LARGE]) });
    const commit = await mirror.commit({ parent: base, changes: [page("a.md", "b")], message: "m", ...AUTHOR });
    expect(await mirror.push({ branch: "x", commit, expected: null })).toBe("pushed");
    expect(await origin.git("show", "x:a.md")).toBe("b");
    expect(server.authorizations.every((sent) => sent === authorization)).toBe(true);
    await server.close();
  });

  test("a wrong credential is an error that does not show it", async () => {
    const server = await serveRepository(origin.directory, { authorization });
    const wrong = `Basic ${Buffer.from("x:wrong").toString("base64")}`;
    const mirror = await mirrors.open("http", atUrl({ url: server.url, authorization: wrong }));
    const error: unknown = await mirror.fetchBranch("main").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(GitError);
    expect(String(error)).not.toContain(wrong);
    expect(JSON.stringify(error)).not.toContain(wrong.slice(6));
    await server.close();
  });

  test("a redirect to another host never gets the credential", async () => {
    const other = await serveRepository(origin.directory);
    const server = await serveRepository(origin.directory, { redirectTo: other.url });
    const mirror = await mirrors.open("http", atUrl({ url: server.url, authorization }));
    await expect(mirror.fetchBranch("main")).rejects.toThrow(GitError);
    expect(other.authorizations).toEqual([]);
    await server.close();
    await other.close();
  });

  test("a push that the host declines says what the host said", async () => {
    await origin.git("config", "http.receivepack", "true");
    await origin.git("config", "core.hooksPath", "hooks");
    await writeFile(join(origin.directory, "hooks", "pre-receive"), "#!/bin/sh\necho protected branch >&2\nexit 1\n", {
      mode: 0o755,
    });
    const server = await serveRepository(origin.directory);
    const base = await origin.commit("main", { "a.md": "a" });
    const mirror = await mirrors.open("http", atUrl({ url: server.url }));
    await mirror.fetchBranch("main");
    const commit = await mirror.commit({ parent: base, changes: [page("a.md", "b")], message: "m", ...AUTHOR });
    await expect(mirror.push({ branch: "x", commit, expected: null })).rejects.toThrow(/protected branch/);
    await server.close();
  });
});

test("in place, a stale lock on a branch does not stop the push", async () => {
  const base = await origin.commit("main", { "a.md": "a" });
  const mirror = await openInPlace();
  const commit = await mirror.commit({ parent: base, changes: [page("a.md", "b")], message: "m", ...AUTHOR });
  const lock = join(origin.directory, "refs", "heads", "x.lock");
  await writeFile(lock, "");
  await utimes(lock, new Date(0), new Date(0));
  expect(await mirror.push({ branch: "x", commit, expected: null })).toBe("pushed");
  expect(existsSync(lock)).toBe(false);
  expect(await origin.git("for-each-ref", "refs/docent")).toBe("");
});
