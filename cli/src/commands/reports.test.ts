import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runDocent } from "../testing/run.ts";
import { startTestService, type TestService } from "../testing/service.ts";

const CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";
const GPTBOT = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.3; +https://openai.com/gptbot)";

let service: TestService;
let env: Record<string, string>;

const docent = (...args: string[]) => runDocent(args, { env });

/** Of a combined log. */
function line(day: string, address: string, path: string, userAgent = CHROME, status = 200): string {
  return `${address} - - [${day}/Jan/2026:10:00:00 +0000] "GET ${path} HTTP/1.1" ${status} 512 "-" "${userAgent}"\n`;
}

const LOG = [
  line("01", "192.0.2.1", "/"),
  line("01", "192.0.2.2", "/"),
  line("02", "192.0.2.1", "/"),
  line("02", "192.0.2.1", "/guides/install"),
  line("02", "203.0.113.9", "/guides/install.md", GPTBOT),
  line("03", "192.0.2.2", "/old-page", CHROME, 404),
].join("");

beforeAll(async () => {
  service = await startTestService();
  env = { DOCENT_URL: service.url, DOCENT_DATA: service.data };
  const project = await docent("project", "create", "--name", "Docs", "--json");
  env["DOCENT_PROJECT"] = (JSON.parse(project.out) as { id: string }).id;
  env["DOCENT_API_KEY"] = (await docent("key", "create", "--name", "me", "--quiet")).out.trim();
});
afterAll(() => service.stop());

test("before anybody came, the table says how to count", async () => {
  const { code, out } = await docent("visitors");
  expect(code).toBe(0);
  expect(out).toBe("Nobody came since the first visit (UTC)\nTo count visits: docent import access.log.gz\n");
});

describe("an imported log", () => {
  beforeAll(async () => {
    const { code, error } = await runDocent(["import", "-"], { env, stdin: LOG });
    expect([code, error]).toEqual([0, ""]);
  });

  test("is a table of visitors", async () => {
    const { code, out } = await docent("visitors", "--from", "2026-01-01", "--to", "2026-02-01");
    expect(code).toBe(0);
    expect(out).toBe(
      [
        "Unique visitors from 2026-01-01 to 2026-01-31 (UTC)",
        "",
        "PATH             HUMAN  AI  TOTAL",
        "/                    2   0      2",
        "/guides/install      1   1      2",
        "whole site           2   1      3",
        "",
        "Seen by: log. Counted as AI: all AI agents.",
        "",
      ].join("\n"),
    );
  });

  test("is views, missing pages, agents and days as well", async () => {
    expect((await docent("views")).out).toMatch(/\/ +3 +0 +3\n.*install +1 +1 +2\nwhole site +4 +1 +5\n/);
    expect((await docent("not-found")).out).toMatch(/\/old-page +1 +0 +1\nall missing paths +1 +0 +1\n/);
    expect((await docent("agents")).out).toMatch(/GPTBot +OpenAI +training +1 +1\n/);
    expect((await docent("timeseries")).out).toMatch(/2026-01-01( +\d){6}\n2026-01-02 +1 +1 +2 +2 +1 +3\n\nSeen/);
  });

  test("is cut at the limit, which the table says", async () => {
    const { out } = await docent("visitors", "--limit", "1");
    expect(out).toMatch(/TOTAL\n\/ .*\nwhole site .*\n… and more: --all shows them\.\n/);
    expect((await docent("visitors", "--all")).out).not.toContain("and more");
  });

  test("is CSV and JSON for programs", async () => {
    expect((await docent("visitors", "--csv")).out).toBe("path,human,ai,total\r\n/,2,0,2\r\n/guides/install,1,1,2\r\n");
    expect((await docent("visitors", "--csv", "--limit", "1")).out).toBe("path,human,ai,total\r\n/,2,0,2\r\n");
    expect((await docent("agents", "--csv")).out).toBe(
      "name,operator,purpose,visitors,views\r\nGPTBot,OpenAI,training,1,1\r\n",
    );
    expect(JSON.parse((await docent("not-found", "--json")).out)).toEqual({
      totals: { human: 1, ai: 0, total: 1 },
      paths: [{ path: "/old-page", human: 1, ai: 0, total: 1 }],
      hasMore: false,
      basis: { sources: ["log"], ai: "all", retainedFrom: null },
    });
  });

  test("dates that are none are refused by the service, in a line", async () => {
    const { code, error } = await docent("visitors", "--from", "2026-02-30");
    expect(code).toBe(1);
    expect(error).toMatch(/^Error: dateFrom must name a day that the calendar has\.\n$/);
  });

  test("can be counted anew, and loses a visitor who wants to be forgotten", async () => {
    expect((await docent("rebuild")).out).toMatch(/^Counted anew in \d+\.\d s\.\n$/);
    expect((await docent("visitors")).out).toMatch(/whole site +2 +1 +3\n/);
    expect((await docent("erase", "--ip", "192.0.2.2", "--user-agent", CHROME)).code).toBe(0);
    expect((await docent("visitors")).out).toMatch(/whole site +1 +1 +2\n/);
    const unclear = await docent("erase", "--ip", "192.0.2.2");
    expect([unclear.code, unclear.error]).toEqual([1, expect.stringContaining("--user-agent")]);
  });
});
