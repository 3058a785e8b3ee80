import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runDocent } from "./testing/run.ts";
import { startTestService, type TestService } from "./testing/service.ts";

let service: TestService;
/** The environment of a user: each test's commands see what earlier ones were told to export. */
let env: Record<string, string>;

beforeAll(async () => {
  service = await startTestService();
  env = { DOCENT_URL: service.url, DOCENT_DATA: service.data };
});
afterAll(() => service.stop());

const docent = (args: string[], options: { stdin?: string; env?: Record<string, string> } = {}) =>
  runDocent(args, { env, ...options });

describe("a first session", () => {
  let jobId: string;

  test("a project is made from a path and waits until it is imported", async () => {
    const args = ["project", "create", "--name", "Docs", "--repository", service.repository, "--json"];
    const { code, out } = await docent(args);
    expect(code).toBe(0);
    const project: { id: string; state: string } = JSON.parse(out);
    expect(project.state).toBe("ready");
    env["DOCENT_PROJECT"] = project.id;
    expect((await docent(["project", "list"])).out).toMatch(/^ID +NAME +STATE +REF +CREATED\nprj_\w+ +Docs +ready/);
  });

  test("a key is printed once, listed without its secret, and the one to use", async () => {
    const { out } = await docent(["key", "create", "--name", "me", "--scope", "write", "--quiet"]);
    expect(out).toMatch(/^docent_\S+\n$/);
    env["DOCENT_API_KEY"] = out.trim();
    const listed = await docent(["key", "list", "--json"]);
    expect(listed.out).not.toContain(out.trim());
    const keys: { name: string; scope: string }[] = JSON.parse(listed.out);
    expect(keys).toMatchObject([{ name: "me", scope: "write" }]);
  });

  test("a job is created and watched to its pull request, in plain lines", async () => {
    const { code, out, error } = await docent(["job", "create", "fix broken links", "--watch"]);
    expect(error).toBe("");
    expect(out).not.toContain("\u001b");
    expect(out).toMatch(/^job_\w+\n› fix broken links\n/);
    expect(out).toContain("✓ Edited index.mdx\n");
    expect(out).toMatch(/✓ Completed {2}http\S+\n$/);
    expect(code).toBe(0);
    jobId = /job_\w+/.exec(out)?.[0] ?? "";
  });

  test("a follow-up from stdin shows its own progress only", async () => {
    const { code, out } = await docent(["job", "message", jobId, "-", "--watch"], {
      stdin: 'replace "the Hub" with "the Relay"\n',
    });
    expect(code).toBe(0);
    expect(out).not.toContain("fix broken links");
    expect(out).toContain("Completed");
  });

  test("the job can be read, listed and archived", async () => {
    const got = await docent(["job", "get", jobId]);
    expect(got.out).toMatch(/status +completed/);
    expect(got.out).toMatch(/used +\d+ steps, 0 tokens, \$0\.00\n/);
    const job: { id: string; status: string } = JSON.parse((await docent(["job", "get", jobId, "--json"])).out);
    expect(job).toMatchObject({ id: jobId, status: "completed" });
    expect((await docent(["job", "list", "--status", "completed"])).out).toContain(jobId);
    expect((await docent(["job", "archive", jobId])).out).toContain("Archived");
    const late = await docent(["job", "message", jobId, "more"]);
    expect(late.code).toBe(1);
    expect(late.error).toContain("archived");
  });

  test("a job that fails says why and exits with 1, in every form", async () => {
    const watched = await docent(["job", "create", "make it all a bit nicer", "--watch"]);
    expect(watched.code).toBe(1);
    expect(watched.out).toMatch(/✗ Failed {2}.*DOCENT_MODEL/s);
    const json = await docent(["job", "create", "make it all a bit nicer", "--watch", "--json"]);
    expect(json.code).toBe(1);
    const job: { status: string; failureReason: string } = JSON.parse(json.out);
    expect(job.status).toBe("failed");
    expect(job.failureReason).not.toBe("");
  });

  test("an instruction comes from a file, and the same idempotency key sends it once", async () => {
    const file = join(service.repository, "../prompt.md");
    await writeFile(file, "fix broken links\n");
    const send = () => docent(["job", "create", "--file", file, "--idempotency-key", "once", "--json"]);
    const ids = [await send(), await send()].map(({ out }) => {
      const job: { id: string } = JSON.parse(out);
      return job.id;
    });
    expect(ids[0]).toBe(ids[1]);
  });

  test("a revoked key is refused with what to do", async () => {
    const keys: { id: string }[] = JSON.parse((await docent(["key", "list", "--json"])).out);
    expect((await docent(["key", "revoke", keys[0]?.id ?? ""])).code).toBe(0);
    const refused = await docent(["job", "list"]);
    expect(refused.code).toBe(1);
    expect(refused.error).toContain("DOCENT_API_KEY");
    expect(refused.error.trim().split("\n")).toHaveLength(2);
  });
});

describe("what is missing or wrong is said in a line, with what to do", () => {
  test.each([
    ["no project", ["job", "list"], {}, "--project"],
    ["no key", ["job", "list", "--project", "prj_1"], {}, "docent key create --project prj_1"],
    ["no token", ["project", "list", "--data", "/nowhere"], {}, "docent serve"],
    ["not a URL", ["project", "list"], { DOCENT_URL: "localhost:4000" }, "DOCENT_URL"],
    [
      "nobody there",
      ["project", "list"],
      { DOCENT_URL: "http://127.0.0.1:9", DOCENT_ADMIN_TOKEN: "t" },
      "docent serve",
    ],
    ["no instruction", ["job", "create"], { DOCENT_PROJECT: "prj_1", DOCENT_API_KEY: "k" }, "--file"],
    [
      "two instructions",
      ["job", "create", "a", "--file", "b"],
      { DOCENT_PROJECT: "p", DOCENT_API_KEY: "k" },
      "not both",
    ],
  ])("%s", async (_, args, given, hint) => {
    const { code, out, error } = await docent(args, { env: given });
    expect(code).toBe(1);
    expect(out).toBe("");
    expect(error).toMatch(/^Error: /);
    expect(error).toContain(hint);
  });

  test("an id that is not there", async () => {
    const { code, error } = await docent(["project", "update", "--project", "prj_nobody", "--name", "Docs"]);
    expect(code).toBe(1);
    expect(error).toContain("docent project list");
  });

  test("an option that does not exist is refused", async () => {
    const { code, error } = await docent(["job", "list", "--colour"]);
    expect(code).toBe(1);
    expect(error).toContain("--colour");
  });
});

test.each([[[]], [["job"]], [["job", "create"]], [["serve"]], [["key", "create"]], [["visitors"]], [["erase"]]])(
  "%j has a help text",
  async (args) => {
    const { out } = await docent([...args, "--help"]);
    expect(out).toContain(`Usage: docent${args.map((arg) => ` ${arg}`).join("")}`);
  },
);
