import { once } from "node:events";
import { EventEmitter } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { readFile } from "node:fs/promises";

export interface ReceivedView {
  body: { url: string; status?: number; referrer?: string; globalPrivacyControl?: boolean };
  headers: IncomingMessage["headers"];
}

export interface TestSite {
  port: number;
  /** The views that arrived for a project, in their order. */
  views(projectId: string): readonly ReceivedView[];
  /** Waits until that many views of a project have arrived. */
  arrived(projectId: string, count: number): Promise<readonly ReceivedView[]>;
  /** The methods of all requests to the collect endpoint. */
  collectMethods: Set<string>;
  close(): Promise<void>;
}

/**
 * A documentation site and a Docent service that writes down what it is sent, on one port under the names that Host gives them.
 * A page is what the query asks for: its `status`, `html`, put into its body, and `csp`, its Content-Security-Policy.
 */
export async function startSite(): Promise<TestSite> {
  const tracker = await readFile(new URL("../../tracker.js", import.meta.url));
  const received = new Map<string, ReceivedView[]>();
  const arrivals = new EventEmitter();
  const collectMethods = new Set<string>();
  const ofProject = (projectId: string): ReceivedView[] => {
    const views = received.get(projectId) ?? [];
    received.set(projectId, views);
    return views;
  };

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://site");
    if (pathname === "/tracker.js") {
      response.setHeader("content-type", "text/javascript; charset=utf-8").end(tracker);
      return;
    }
    if (!pathname.startsWith("/v1/collect/")) {
      const csp = searchParams.get("csp");
      if (csp !== null) response.setHeader("content-security-policy", csp);
      response.writeHead(Number(searchParams.get("status") ?? 200), { "content-type": "text/html; charset=utf-8" });
      response.end(`<!doctype html><title>${pathname}</title><h1>${pathname}</h1>${searchParams.get("html") ?? ""}`);
      return;
    }
    collectMethods.add(request.method ?? "");
    let text = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => {
      text += chunk;
    });
    request.on("end", () => {
      ofProject(pathname.slice("/v1/collect/".length)).push({ body: JSON.parse(text), headers: request.headers });
      response.writeHead(202, { "access-control-allow-origin": request.headers.origin ?? "*" }).end("{}");
      arrivals.emit("view");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();

  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    views: (projectId) => ofProject(projectId),
    async arrived(projectId, count) {
      while (ofProject(projectId).length < count) await once(arrivals, "view");
      return ofProject(projectId);
    },
    collectMethods,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
