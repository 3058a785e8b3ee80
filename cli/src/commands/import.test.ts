import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { createDocent } from "@docent/sdk";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { runCli } from "../cli.ts";
import { createTerminal } from "../terminal.ts";
import { startTestService, type TestService } from "../testing/service.ts";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0";

let service: TestService;
let directory: string;
let env: Record<string, string>;

beforeAll(async () => {
  service = await startTestService();
  directory = await mkdtemp(join(tmpdir(), "docent-import-command-"));
});
afterAll(async () => {
  await service.stop();
  await rm(directory, { recursive: true, force: true });
});
beforeEach(async () => {
  const administrator = createDocent({ baseUrl: service.url, adminToken: service.adminToken });
  const { id } = await administrator.projects.create({ name: "Docs" });
  const { key } = await administrator.keys.create(id, { name: "test" });
  env = { DOCENT_URL: service.url, DOCENT_PROJECT: id, DOCENT_API_KEY: key };
});

async function docent(args: string[], options: { stdin?: Iterable<Buffer>; isTTY?: boolean } = {}) {
  let out = "";
  let error = "";
  const terminal = createTerminal(
    {
      stdin: Readable.from(options.stdin ?? []),
      stdout: { write: (text: string) => (out += text), isTTY: options.isTTY === true, columns: 100 },
      stderr: { write: (text: string) => (error += text) },
    },
    { NO_COLOR: "1" },
  );
  // Each look at the clock is a second later, so that progress is drawn at each.
  let time = Date.UTC(2026, 1, 21);
  const now = (): Date => new Date((time += 1_000));
  const signal = new AbortController().signal;
  const code = await runCli(args, { terminal, env, fetch: globalThis.fetch, now, signal });
  return { code, out, error };
}

async function write(name: string, content: string | Buffer): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, content);
  return path;
}

function line(path: string, second: number, { address = "192.0.2.1", status = 200, userAgent = FIREFOX } = {}): string {
  const time = `20/Feb/2026:10:00:${String(second).padStart(2, "0")} +0000`;
  return `${address} - - [${time}] "GET ${path} HTTP/1.1" ${status} 9 "-" "${userAgent}"\n`;
}

async function visitors() {
  const client = createDocent({ baseUrl: service.url, apiKey: env["DOCENT_API_KEY"] });
  return await client.analytics.visitors(env["DOCENT_PROJECT"] ?? "");
}

test("a log is imported, told about, and reported", async () => {
  const log =
    line("/start", 1) +
    line("/start.md", 2, { userAgent: "Claude-User (claude-code/2.0.42; +https://support.anthropic.com/)" }) +
    line("/start", 3, { address: "192.0.2.2" }) +
    line("/app.js", 4) +
    line("/gone", 5, { status: 404 }) +
    line("/old", 6, { status: 301 }) +
    `192.0.2.1 and then?\n${line("/\u0001", 7)}`;
  const path = await write("access.log.gz", gzipSync(log));
  const { code, out, error } = await docent(["import", path]);
  expect(error).toBe("");
  expect(code).toBe(0);
  expect(out).toContain(`${path}  nginx or Apache, combined\n  8 lines, 4 views\n`);
  expect(out).toMatch(/lines +8 in .* lines\/s\)\nviews +4\n/);
  expect(out).toMatch(/ 1 {2}not a line of this format\n +x\.x\.x\.x and then\?\n/);
  expect(out).toMatch(/ 1 {2}assets and other files that are no pages\n/);
  expect(out).toMatch(/ 1 {2}redirects and errors\n/);
  expect(out).toMatch(/ 1 {2}paths over 1,000 characters, or with control characters\n/);
  expect(out).toContain(`docent visitors --project ${env["DOCENT_PROJECT"]}`);
  expect(out).not.toContain("\u001b");

  const report = await visitors();
  expect(report.totals).toEqual({ human: 2, ai: 1, total: 3 });
  expect(report.visitors).toEqual([{ path: "/start", human: 2, ai: 1, total: 3 }]);
  expect(report.basis.sources).toEqual(["log"]);

  const again = await docent(["import", path]);
  expect(again.out).toContain("nothing new");
  expect(again.out).not.toContain("Not counted");
  expect((await visitors()).totals.total).toBe(3);
});

test("logs that grew come from stdin, and as JSON for programs", async () => {
  const first = line("/a", 1) + line("/b", 2).slice(0, -20);
  const one = await docent(["import", "-", "--json"], {
    stdin: [Buffer.from(first.slice(0, 30)), Buffer.from(first.slice(30))],
  });
  expect(JSON.parse(one.out)).toMatchObject({
    lines: 1,
    views: 1,
    logs: [{ name: "stdin", format: "combined", bytesBefore: 0, leavesLine: true, damage: null }],
  });
  const whole = line("/a", 1) + line("/b", 2);
  const two = await docent(["import", "-", "--json"], { stdin: [gzipSync(whole)] });
  expect(JSON.parse(two.out)).toMatchObject({
    views: 1,
    logs: [{ bytesBefore: line("/a", 1).length, bytes: whole.length, leavesLine: false }],
  });
  expect((await visitors()).visitors.map(({ path }) => path)).toEqual(["/a", "/b"]);
});

test("several logs, a host and a base path", async () => {
  const hosted = (host: string, path: string, second: number): string => `${host}:443 ${line(path, second)}`;
  const logs = [
    await write("a.log", hosted("docs.example.com", "/docs/a", 1) + hosted("www.example.com", "/docs/a", 2)),
    await write("b.log", hosted("docs.example.com", "/blog", 3) + hosted("Docs.example.com", "/docs", 4)),
  ];
  const { code, out } = await docent(["import", ...logs, "--host", "docs.example.com", "--base-path", "/docs/"]);
  expect(code).toBe(0);
  expect(out).toMatch(/ 1 {2}another host \(--host\)\n/);
  expect(out).toMatch(/ 1 {2}outside of the base path \(--base-path\)\n/);
  expect((await visitors()).visitors.map(({ path }) => path)).toEqual(["/docs", "/docs/a"]);
});

test("on a terminal a bar says how far it is", async () => {
  const path = await write("bar.log", line("/a", 1));
  const { out } = await docent(["import", path], { isTTY: true });
  expect(out).toMatch(/━+ {2}100 % {2}1 lines {2}\d+\/s/);
});

test("an earlier copy of a log is not counted again, unless it is said to be another log", async () => {
  await docent(["import", await write("whole.log", line("/a", 1) + line("/b", 2))]);
  const copy = await write("copy.log", line("/a", 1));
  const refused = await docent(["import", copy]);
  expect(refused.code).toBe(1);
  expect(refused.error).toContain("--another-log");
  expect((await docent(["import", copy, "--another-log"])).code).toBe(0);
  expect((await docent(["import", copy])).out).toContain("nothing new");
});

test("a log that is damaged is imported as far as it goes, which is said and fails", async () => {
  let text = "";
  for (let second = 0; second < 20_000; second += 1) text += line(`/page-${(second * 7919) % 10_007}`, second % 60);
  const path = await write("cut.log.gz", gzipSync(text).subarray(0, 60_000));
  const cut = await docent(["import", path]);
  expect(cut.code).toBe(1);
  expect(cut.out).toContain("ends too early or is damaged");
  const whole = await docent(["import", await write("cut.log.gz", gzipSync(text)), "--json"]);
  expect(whole.code).toBe(0);
  const client = createDocent({ baseUrl: service.url, apiKey: env["DOCENT_API_KEY"] });
  expect((await client.analytics.views(env["DOCENT_PROJECT"] ?? "")).totals.total).toBe(20_000);
});

test("what cannot be is said in a line, with what to do", async () => {
  const path = await write("known.log", line("/a", 1));
  for (const [args, said] of [
    [["import", join(directory, "none.log")], "cannot be read"],
    [["import", directory], `docent import ${join(directory, "*")}`],
    [["import", await write("letter.txt", "Dear reader,\nhello\n")], "--format"],
    [["import", path, "--host", "docs.example.com"], "do not name their host"],
    [["import", path, "--host", "https://docs.example.com"], "without scheme"],
    [["import", path, "--base-path", "docs"], "begins with a slash"],
    [["import", path, "--format", "iis"], "Allowed choices"],
    [["import"], "missing required argument"],
  ] as const) {
    const { code, out, error } = await docent([...args]);
    expect([code, out]).toEqual([1, ""]);
    expect(error).toContain(said);
  }
  const empty = await docent(["import", await write("empty.log", "")]);
  expect(empty.code).toBe(0);
  expect(empty.out).toContain("no line in it");
});

test("a key that may not collect is refused", async () => {
  const administrator = createDocent({ baseUrl: service.url, adminToken: service.adminToken });
  const { key } = await administrator.keys.create(env["DOCENT_PROJECT"] ?? "", { name: "reader", scope: "read" });
  env["DOCENT_API_KEY"] = key;
  const { code, error } = await docent(["import", await write("refused.log", line("/a", 1))]);
  expect(code).toBe(1);
  expect(error).toContain("collect");
});
