import { createHmac, randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createGiteaHarness, type GiteaHarness } from "../codehost/gitea/testing/harness.ts";
import { edit, finish, page, read, scriptByPrompt } from "../jobs/testing/script.ts";
import { startScriptedService, type ScriptedService } from "../jobs/testing/scripted-service.ts";
import { PROXY_PASSWORD, startTestProxy, type TestProxy } from "../network/testing/proxy.ts";
import { startTlsFront, TEST_AUTHORITY_FILE } from "../network/testing/tls.ts";
import { startReceiver, type Receiver } from "./testing/receiver.ts";

const FILES = {
  "docs.json": JSON.stringify({ navigation: { pages: ["index", "install"] } }),
  "index.mdx": page("Start", "Welcome to the Hub."),
  "install.mdx": page("Install", "One.\n\nTwo.\n\nThree."),
};

const hosts: Record<string, number> = {};
const closing: (() => Promise<void>)[] = [];
let proxy: TestProxy;
let harness: GiteaHarness;
let receiver: Receiver;
let scripted: ScriptedService;

/** Model, code host and receiver are behind TLS of an own authority, and known to the proxy alone. */
beforeAll(async () => {
  proxy = await startTestProxy(hosts);
  harness = await createGiteaHarness();
  receiver = await startReceiver();
  scripted = await startScriptedService({
    script: scriptByPrompt({
      "say relay": [[read("index.mdx")], [edit("index.mdx", "the Hub", "Relay"), finish("Say Relay")]],
      "number the steps": [[read("install.mdx")], [edit("install.mdx", "Two.", "2."), finish("Number the steps")]],
    }),
    environment: {
      https_proxy: proxy.url,
      DOCENT_CA_FILE: TEST_AUTHORITY_FILE,
      DOCENT_MODEL_BASE_URL: "https://site.test/v1",
    },
    logLevel: "trace",
  });
  for (const [host, url] of Object.entries({
    "site.test:443": scripted.model.url,
    "git.test:443": harness.server.url,
    "hooks.test:443": receiver.url,
  })) {
    const front = await startTlsFront(Number(new URL(url).port));
    closing.push(front.close);
    hosts[host] = front.port;
  }
});
afterAll(async () => {
  await scripted.close();
  for (const close of closing) await close();
  await receiver.close();
  await harness.close();
  await proxy.close();
});

test("from an instruction to a comment, a follow-up and a merge, all through the proxy, and the project's URL hears of it", async () => {
  const repository = await harness.addRepository();
  await repository.git.commit("main", FILES);
  const person = await repository.addPerson("write");
  const project = await scripted.connectProject({
    repository: repository.name,
    codeHost: "gitea",
    codeHostUrl: `https://git.test${new URL(harness.server.url).pathname.replace(/\/$/, "")}`,
    credential: { token: harness.token },
    settings: { archiveOnMerge: true, webhookUrl: "https://hooks.test/hook" },
  });
  const job = await project.createJob("say relay");
  expect(await job.rest()).toMatchObject({ status: "completed", failureReason: null, pullRequest: { number: 1 } });

  const webhook = await scripted.administer("POST", `/v1/projects/${project.id}/code-host-webhook`);
  async function tell(payload: object): Promise<unknown> {
    const body = JSON.stringify({ repository: { full_name: repository.name }, ...payload });
    const signature = createHmac("sha256", String(webhook["secret"])).update(body).digest("hex");
    const response = await fetch(String(webhook["url"]), {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-gitea-delivery": randomUUID(),
        "x-gitea-signature": signature,
      },
      body,
    });
    return response.json();
  }
  const comment = { body: "@docent number the steps", user: { login: person }, html_url: "https://git.test/pulls/1#7" };
  const commented = await tell({ action: "created", is_pull: true, issue: { number: 1 }, comment });
  expect(commented).toEqual({ outcomes: [{ type: "message", jobId: job.id }] });
  const second = await job.rest();
  expect(second).toMatchObject({ status: "completed", failureReason: null, pullRequest: { number: 1 } });
  expect(await repository.git.git("show", `${second.branch ?? ""}:install.mdx`)).toContain("2.");
  expect(JSON.stringify(scripted.model.requests)).toContain(
    `@${person} says on the pull request (https://git.test/pulls/1#7)`,
  );

  await repository.merge(1);
  const merged = await tell({ action: "closed", pull_request: { number: 1, merged: true } });
  expect(merged).toEqual({ outcomes: [{ type: "pull-request", jobId: job.id }] });
  expect(await job.get()).toMatchObject({ status: "archived", pullRequest: { state: "merged" } });

  await expect.poll(() => receiver.received.length).toBe(5);
  const told = receiver.received.map(({ body }) => JSON.parse(body) as { type: string; data: { id: string } });
  expect(told.map(({ type }) => type)).toEqual(
    ["active", "completed", "active", "completed", "archived"].map((status) => `job.${status}`),
  );
  expect(told.at(-1)?.data).toEqual(await job.get());
  const rotated = await scripted.administer("POST", `/v1/projects/${project.id}/webhook-secret`);
  await scripted.administer(
    "POST",
    `/v1/projects/${project.id}/webhook-deliveries/${String(receiver.received[0]?.headers["webhook-id"])}/redeliver`,
  );
  await expect.poll(() => receiver.received.length).toBe(6);
  const again = receiver.received[5];
  new Webhook(String(rotated["secret"])).verify(again?.body ?? "", again?.headers as Record<string, string>);
  expect(again?.body).toBe(receiver.received[0]?.body);

  expect(new Set(proxy.seen)).toEqual(
    new Set(["CONNECT site.test:443", "CONNECT git.test:443", "CONNECT hooks.test:443"]),
  );
  const everything = scripted.log() + JSON.stringify(scripted.model.requests);
  for (const secret of [PROXY_PASSWORD, harness.token, String(webhook["secret"]), String(rotated["secret"])]) {
    expect(everything).not.toContain(secret);
  }
});
