/**
 * A documentation server as the guide shows it, in a process of its own: node server-process.ts MIDDLEWARE COLLECTOR_URL DEADLINE_MS
 * Says its port; stops at SIGTERM, and by itself when it has been asked for `/last`.
 */
import { createServer } from "node:http";

const [middleware = "", baseUrl = "", deadlineMs] = process.argv.slice(2);
const { createViewMiddleware }: typeof import("../middleware.ts") = await import(middleware);
const views = createViewMiddleware({
  baseUrl,
  projectId: "prj_1",
  apiKey: "docent_test",
  // Longer than the test: what is sent was sent because the process ends.
  batchDelayMs: 3_600_000,
});

const server = createServer((request, response) => {
  views.node(request, response, () => {
    response.setHeader("content-type", "text/html").end("<h1>Guide</h1>");
    if (request.url === "/last") server.close();
  });
});

process.once("beforeExit", () => void views.close({ deadlineMs: Number(deadlineMs) }));
process.once("SIGTERM", () => {
  server.close();
  server.closeAllConnections();
});

server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  console.log(typeof address === "object" && address !== null ? address.port : 0);
});
