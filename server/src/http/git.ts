import type { IncomingMessage } from "node:http";
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { BuiltinHost } from "../codehost/builtin/builtin.ts";
import type { GitAccess } from "../codehost/builtin/git-token.ts";
import type { KeyScope } from "../database/schema.ts";
import { createGate } from "./gate.ts";
import { runHttpBackend } from "./git-backend.ts";

export interface GitRoutesDependencies {
  builtinHost: BuiltinHost;
  /** The key's project and scope; undefined for a key that does not count (unknown, expired, another address). */
  authenticateKey(key: string, address: string): Promise<{ projectId: string; scope: KeyScope } | undefined>;
  log: { error(fields: object, message: string): void };
}

export interface GitRoutesOptions {
  /** Git processes at one time. More requests wait. */
  processesMax?: number;
  /** Requests that wait for a process. More are answered with 503. */
  waitingMax?: number;
}

type Service = "git-upload-pack" | "git-receive-pack";

interface Refused {
  status: 401 | 403 | 404 | 503;
  message: string;
}

function passwordOf(header: string | undefined): string | undefined {
  const [, scheme = "", value = ""] = /^(\S+) +(\S+)$/.exec(header ?? "") ?? [];
  if (/^bearer$/i.test(scheme)) return value;
  if (!/^basic$/i.test(scheme)) return undefined;
  const decoded = Buffer.from(value, "base64").toString("utf8");
  const colon = decoded.indexOf(":");
  return colon < 0 ? undefined : decoded.slice(colon + 1);
}

function serviceOf(text: unknown): Service | undefined {
  return text === "git-upload-pack" || text === "git-receive-pack" ? text : undefined;
}

/** git shows a plain-text answer to its user, line by line after `remote:`. */
function refuse(reply: FastifyReply, { status, message }: Refused): FastifyReply {
  if (status === 401) void reply.header("www-authenticate", 'Basic realm="Docent", charset="UTF-8"');
  if (status === 503) void reply.header("retry-after", "10");
  return reply.code(status).type("text/plain; charset=utf-8").send(`${message}\n`);
}

/**
 * Git over HTTP: `/git/{project}.git`, the smart protocol only, through git's own `http-backend`. Bodies are streamed
 * both ways and never held; pushes of any size pass.
 */
export function createGitRoutes(
  { builtinHost, authenticateKey, log }: GitRoutesDependencies,
  { processesMax = 16, waitingMax = 256 }: GitRoutesOptions = {},
): FastifyPluginAsync {
  const gate = createGate(processesMax, waitingMax);

  async function authorize(request: FastifyRequest, name: string, wanted: GitAccess): Promise<Refused | undefined> {
    const password = passwordOf(request.headers.authorization);
    if (password === undefined || password === "") {
      return { status: 401, message: "Sign in with any user name and an API key of the project as the password." };
    }
    const granted = builtinHost.verifyGitToken(password, name);
    if (granted !== undefined) {
      if (granted === "write" || wanted === "read") return undefined;
      return { status: 403, message: "This token may only read." };
    }
    const key = await authenticateKey(password, request.ip);
    if (key === undefined) {
      return { status: 401, message: "This API key is unknown, revoked or expired, or may not be used from here." };
    }
    if (key.projectId !== name) return { status: 403, message: "This API key belongs to another project." };
    const writes = key.scope === "write" || key.scope === "admin";
    if (writes || (wanted === "read" && key.scope === "read")) return undefined;
    return {
      status: 403,
      message: `This API key has the scope ${key.scope}; a ${wanted === "read" ? "clone needs read" : "push needs write"}.`,
    };
  }

  async function unavailable(name: string): Promise<Refused | undefined> {
    const state = builtinHost.repositories === null ? undefined : await builtinHost.repositoryState(name);
    if (state === "ready") return undefined;
    if (state === undefined) return { status: 404, message: "There is no such repository here." };
    if (state === "failed")
      return { status: 404, message: "The repository could not be imported; its project says why." };
    return { status: 503, message: "The repository is still being imported. Try again when the project is ready." };
  }

  async function refreshPullRequests(name: string): Promise<void> {
    try {
      await builtinHost.refresh(name);
    } catch (error) {
      // The push itself stands; the next look at a pull request brings it up to date.
      log.error({ repository: name, err: error }, "pull requests not refreshed after a push");
    }
  }

  async function serve(request: FastifyRequest, reply: FastifyReply, file: string, body?: IncomingMessage) {
    const repository = (request.params as { repository: string }).repository;
    const name = repository.endsWith(".git") ? repository.slice(0, -".git".length) : "";
    const query = request.url.includes("?") ? request.url.slice(request.url.indexOf("?") + 1) : "";
    const service = serviceOf(file === "info/refs" ? new URLSearchParams(query).get("service") : file);
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(name) || service === undefined) {
      return refuse(reply, {
        status: 404,
        message: "There is nothing here. Docent speaks git's smart HTTP protocol only.",
      });
    }
    const refused =
      (await authorize(request, name, service === "git-receive-pack" ? "write" : "read")) ?? (await unavailable(name));
    if (refused !== undefined) return refuse(reply, refused);
    const leave = await gate.enter();
    if (leave === undefined)
      return refuse(reply, { status: 503, message: "Too many clones and pushes at once. Try again." });
    const pushes = file === "git-receive-pack";
    try {
      // Keeps commits that this push is about to drop, where a pull request still shows them.
      if (pushes) await refreshPullRequests(name);
      const answer = await runHttpBackend({
        repositoryDirectory: builtinHost.repositories?.path(name) ?? "",
        file,
        query,
        request: request.raw,
        body,
        onEnd: () => {
          leave();
          if (pushes) void refreshPullRequests(name);
        },
        response: reply.raw,
      });
      if (answer === undefined) return reply.hijack();
      return await reply.code(answer.status).headers(answer.headers).send(answer.body);
    } catch (error) {
      leave();
      log.error({ repository: name, err: error }, "git http-backend failed");
      return refuse(reply, { status: 503, message: "git failed on the server; its log says why." });
    }
  }

  return async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
    const route = { schema: { hide: true } };
    app.get("/git/:repository/info/refs", route, (request, reply) => serve(request, reply, "info/refs"));
    for (const service of ["git-upload-pack", "git-receive-pack"] as const) {
      app.post(`/git/:repository/${service}`, route, (request, reply) =>
        serve(request, reply, service, request.body as IncomingMessage),
      );
    }
  };
}
