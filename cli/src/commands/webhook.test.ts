import { afterAll, beforeAll, expect, test } from "vitest";
import { runDocent } from "../testing/run.ts";
import { startTestService, type TestService } from "../testing/service.ts";

let service: TestService;
let env: Record<string, string>;

const docent = (...args: string[]) => runDocent(args, { env });

beforeAll(async () => {
  service = await startTestService();
  env = { DOCENT_URL: service.url, DOCENT_DATA: service.data };
  const { out } = await docent("project", "create", "--name", "Docs", "--json");
  env["DOCENT_PROJECT"] = (JSON.parse(out) as { id: string }).id;
});
afterAll(() => service.stop());

test("a project's deliveries are listed, and sent once more", async () => {
  expect((await docent("webhook", "list")).out).toBe("None in the last 30 days.\n");
  const url = "https://hooks.invalid/docent";
  expect(await docent("project", "update", "--set", `webhookUrl=${url}`)).toMatchObject({ code: 0 });
  env["DOCENT_API_KEY"] = (await docent("key", "create", "--name", "cli", "--quiet")).out.trim();
  await docent("job", "create", "Fix broken links");
  const { out } = await docent("webhook", "list", "--json");
  const delivery = (JSON.parse(out) as { id: string; type: string }[]).at(-1);
  expect(delivery).toMatchObject({ id: expect.stringMatching(/^whd_/), type: "job.active" });
  expect((await docent("webhook", "list")).out).toMatch(/^ID +TYPE +JOB[^]*job\.active/);
  expect((await docent("webhook", "list", "--state", "delivered")).out).toBe("None in the last 30 days.\n");
  const again = await docent("webhook", "redeliver", delivery?.id ?? "");
  expect(again).toMatchObject({ code: 0, out: `${delivery?.id} is sent once more.\n` });
  expect(await docent("webhook", "redeliver", "whd_0")).toMatchObject({ code: 1 });
});

test("a secret is shown when it is made", async () => {
  expect((await docent("webhook", "secret")).out).toMatch(/^whsec_\S+\n\nThis is the only time/);
  expect((await docent("webhook", "secret")).out).toMatch(/The one before also signs until/);
  const refused = await docent("webhook", "connect");
  expect(refused).toMatchObject({ code: 1, error: expect.stringContaining("needs no webhook") });
});
