import { createServer } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestService, type TestService } from "../../../server/src/testing/service.ts";
import { createDocent } from "../sdk.ts";
import { createViewMiddleware } from "./middleware.ts";

const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";
const GPTBOT = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.3; +https://openai.com/gptbot)";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

test("who reads a server's pages is in the service's reports, from the key of the scope collect to the export", async () => {
  const { projectId, key } = await service.createProject();
  const docent = createDocent({ baseUrl: service.url, apiKey: key, adminToken: service.adminToken });
  const collectKey = await docent.keys.create(projectId, { name: "docs server", scope: "collect" });
  const problems: string[] = [];
  const views = createViewMiddleware({
    baseUrl: service.url,
    projectId,
    apiKey: collectKey.key,
    onProblem: (problem) => problems.push(problem),
  });

  const site = createServer((request, response) =>
    views.node(request, response, () => {
      const isMarkdown = request.headers.accept === "text/markdown" || request.url?.endsWith(".md");
      response.writeHead(request.url === "/gone" ? 404 : 200, {
        "content-type": isMarkdown === true ? "text/markdown" : "text/html",
      });
      response.end("# Guide");
    }),
  );
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  const address = site.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  const read = (path: string, userAgent: string, accept = "text/html") =>
    fetch(url + path, { headers: { "user-agent": userAgent, accept } });

  await read("/guide/", CHROME);
  await read("/guide", CHROME);
  await read("/guide.md", GPTBOT);
  await read("/guide", "axios/1.12.2", "text/markdown");
  await read("/gone", CHROME);
  await new Promise((resolve) => site.close(resolve));
  await views.close();

  expect(problems).toEqual([]);
  expect(views.counts()).toEqual({ accepted: 5, rejected: 0, dropped: 0, waiting: 0 });
  const visitors = await docent.analytics.visitors(projectId);
  expect(visitors.visitors).toEqual([{ path: "/guide", human: 1, ai: 2, total: 3 }]);
  expect(visitors.basis.sources).toEqual(["middleware"]);
  expect((await docent.analytics.views(projectId)).totals).toEqual({ human: 2, ai: 2, total: 4 });
  const { agents } = await docent.analytics.agents(projectId);
  expect(agents.map(({ name, purpose }) => [name, purpose])).toContainEqual(["GPTBot", "training"]);
  expect((await docent.analytics.notFound(projectId)).paths.map(({ path }) => path)).toEqual(["/gone"]);
});
