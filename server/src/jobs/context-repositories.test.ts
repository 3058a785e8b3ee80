import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listen } from "../codehost/builtin/testing/git-server.ts";
import { answerGit, readGitRequest } from "../codehost/testing/git-backend.ts";
import { createTestRepository, type TestRepository } from "../git/testing/repository.ts";
import { edit, finish, page, read, scriptByPrompt, write } from "./testing/script.ts";
import { startScriptedService, type ScriptedService } from "./testing/scripted-service.ts";

let product: TestRepository;
let server: Server;
let productUrl = "";
let scripted: ScriptedService;

beforeAll(async () => {
  product = await createTestRepository();
  await product.commit("trunk", { "src/limits.ts": "export const REQUESTS_MAX = 250;\n" });
  await product.git("symbolic-ref", "HEAD", "refs/heads/trunk");
  await product.commit("next", { "src/limits.ts": "export const REQUESTS_MAX = 500;\n" });
  server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? "", "http://git.test");
    const asked = readGitRequest(pathname, search.slice(1));
    if (asked?.access !== "read") response.writeHead(403).end();
    else void answerGit({ ...asked, gitDir: product.directory }, request, response);
  });
  productUrl = `${await listen(server)}/product.git`;
  scripted = await startScriptedService({
    script: scriptByPrompt({
      "tell the limit": [
        [
          read("@product/src/limits.ts"),
          { name: "search", arguments: { pattern: "REQUESTS_MAX", glob: "@product/**" } },
        ],
        [read("@next/src/limits.ts"), read("@gone/README.md")],
        [write("@product/src/limits.ts", "export const REQUESTS_MAX = 0;\n"), read("index.mdx")],
        [edit("index.mdx", "some requests", "250 requests"), finish("Name the limit")],
      ],
    }),
  });
});
afterAll(async () => {
  await scripted.close();
  server.close();
  server.closeAllConnections();
  await product.remove();
});

test("a job reads the product's source beside the docs, and can only change the docs", async () => {
  const before = await product.git("for-each-ref");
  const project = await scripted.addProject(
    {
      "docs.json": JSON.stringify({ navigation: { pages: ["index"] } }),
      "index.mdx": page("Start", "Make some requests."),
    },
    {
      contextRepositories: [
        { name: "product", url: productUrl },
        { name: "next", url: productUrl, ref: "next" },
        { name: "gone", url: productUrl, ref: "gone" },
      ],
    },
  );
  const job = await project.createJob("tell the limit");
  const done = await job.rest();
  expect(done).toMatchObject({ status: "completed", failureReason: null });
  expect(await project.readFile(done.branch ?? "", "index.mdx")).toContain("Make 250 requests.");

  const { messages } = scripted.model.requests.at(-1) ?? { messages: [] };
  expect(messages[0]?.content).toContain(`\`@product\`: ${productUrl}`);
  const answers = messages.filter(({ role }) => role === "tool").map(({ content }) => content ?? "");
  expect(answers[0]).toContain("REQUESTS_MAX = 250");
  expect(answers[1]).toContain("src/limits.ts");
  expect(answers[2]).toContain("REQUESTS_MAX = 500");
  expect(answers[3]).toContain("@gone has no branch gone");
  expect(answers[4]).toContain("nothing in it can be changed");
  expect(await product.git("for-each-ref")).toBe(before);
});
