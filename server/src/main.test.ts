import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const ENTRY = join(import.meta.dirname, "../../cli/src/main.ts");

let data: string;
const children: ChildProcess[] = [];

beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), "docent-main-"));
});

afterEach(async () => {
  for (const child of children.splice(0)) if (child.exitCode === null) child.kill("SIGKILL");
  await stopPostgres();
  await rm(data, { recursive: true, force: true });
});

/** A killed `serve` leaves its PostgreSQL running, as it should; the test does not. */
async function stopPostgres(): Promise<void> {
  const pidFile = join(data, "postgres/data/postmaster.pid");
  if (!existsSync(pidFile)) return;
  const pid = Number.parseInt(await readFile(pidFile, "utf8"), 10);
  try {
    process.kill(pid, "SIGINT");
    for (let i = 0; i < 200 && existsSync(pidFile); i++) await new Promise((resolve) => setTimeout(resolve, 50));
  } catch {
    // It was gone already.
  }
}

interface Docent {
  child: ChildProcess;
  output: () => string;
  errors: () => string;
  /** Resolves once the output holds the text; rejects when the process ends before. */
  says: (text: string) => Promise<void>;
  exit: Promise<number | null>;
}

function docent(args: string[], env: Record<string, string> = {}): Docent {
  const child = spawn(process.execPath, [ENTRY, ...args], {
    env: { PATH: process.env["PATH"] ?? "", DOCENT_DATA: data, DOCENT_PORT: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  let output = "";
  let errors = "";
  const waiting = new Set<() => void>();
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
    for (const look of waiting) look();
  });
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const exit = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));
  return {
    child,
    output: () => output,
    errors: () => errors,
    exit,
    says: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!output.includes(text)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
        void exit.then((code) => reject(new Error(`ended with ${code}: ${errors}`)));
      }),
  };
}

describe("docent serve", () => {
  test("says where it is, stops on SIGTERM with code 0, and takes PostgreSQL with it", async () => {
    const serve = docent(["serve"], { OPENAI_API_KEY: "sk-canary", DOCENT_MODLE: "typo" });
    await serve.says("nothing reads it");
    expect(serve.output()).toMatch(/Docent is ready at http:\/\/127\.0\.0\.1:\d+/);
    expect(serve.output()).toContain("OPENAI_API_KEY is set but not used");
    expect(serve.output() + serve.errors()).not.toContain("sk-canary");
    const url = /http:\/\/\S+/.exec(serve.output())?.[0] ?? "";
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    serve.child.kill("SIGTERM");
    expect(await serve.exit).toBe(0);
    expect(existsSync(join(data, "postgres/data/postmaster.pid"))).toBe(false);
  });

  test("a second one on the same directory is refused in one line, and the first goes on", async () => {
    const first = docent(["serve"]);
    await first.says("Docent is ready");
    const second = docent(["serve"]);
    expect(await second.exit).toBe(1);
    expect(second.errors().trim().split("\n")).toHaveLength(1);
    expect(second.errors()).toContain(`already served by process ${first.child.pid}`);
    const url = /http:\/\/\S+/.exec(first.output())?.[0] ?? "";
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });

  test("after kill -9 the next one adopts the database and keeps what was there", async () => {
    const first = docent(["serve"]);
    await first.says("Docent is ready");
    const token = (await readFile(join(data, "admin.token"), "utf8")).trim();
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const url = (running: Docent): string => /http:\/\/\S+/.exec(running.output())?.[0] ?? "";
    await fetch(`${url(first)}/v1/projects`, { method: "POST", headers, body: JSON.stringify({ name: "Kept" }) });
    first.child.kill("SIGKILL");
    await first.exit;
    const pidBefore = await readFile(join(data, "postgres/data/postmaster.pid"), "utf8");
    const second = docent(["serve"]);
    await second.says("Docent is ready");
    expect(await readFile(join(data, "postgres/data/postmaster.pid"), "utf8")).toBe(pidBefore);
    const answer = await fetch(`${url(second)}/v1/projects`, { headers });
    expect(await answer.json()).toMatchObject({ projects: [{ name: "Kept" }] });
  });

  test("a data directory that cannot be is one clear line", async () => {
    const file = join(data, "file");
    await writeFile(file, "");
    const refused = docent(["serve", "--data", file]);
    expect(await refused.exit).toBe(1);
    expect(refused.errors().trim().split("\n")).toEqual([
      expect.stringMatching(/data directory .*file cannot be made/),
    ]);
  });

  test("a taken port is one clear line", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const address = taken.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const serve = docent(["serve", "--port", String(port)]);
    expect(await serve.exit).toBe(1);
    expect(serve.errors()).toContain(`Port ${port} on 127.0.0.1 is taken`);
    expect(existsSync(join(data, "postgres/data/postmaster.pid"))).toBe(false);
    taken.close();
  });
});

describe("impossible mixes", () => {
  test.each([
    [["worker"], {}, "needs DATABASE_URL"],
    [["serve", "--no-worker"], {}, "needs DATABASE_URL"],
    [["worker"], { DATABASE_URL: "postgresql://127.0.0.1:1/none" }, "DOCENT_SECRET"],
    [["serve"], { DOCENT_MODEL: "openai-compatible:x" }, "DOCENT_MODEL_BASE_URL"],
    [["serve"], { DATABASE_URL: "postgresql://user:canary@127.0.0.1:1/none" }, "does not answer"],
    [["serve"], { DOCENT_PORT: "http" }, "DOCENT_PORT must be"],
    [["serve"], { DOCENT_MODEL: "nobody:x" }, "DOCENT_MODEL: nobody:x is not a known model"],
    [["serve", "--host", "192.0.2.1"], {}, "192.0.2.1 is no address of this machine"],
  ])("%j with %j: %s", async (args, env, reason) => {
    const refused = docent(args, env);
    expect(await refused.exit).toBe(1);
    expect(refused.errors()).toContain(reason);
    expect(refused.errors()).not.toContain("canary");
    expect(refused.errors()).not.toMatch(/^\s+at /m);
  });
});
