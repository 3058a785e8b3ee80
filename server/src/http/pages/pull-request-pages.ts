import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { BuiltinHost, PullRequestDetails } from "../../codehost/builtin/builtin.ts";
import type { KeyScope } from "../../database/schema.ts";
import type { Project, Projects } from "../../projects/project.ts";
import { readPullRequestNumber } from "../pull-requests.ts";
import { imageType } from "./diff.ts";
import { sendMessagePage, sendPage, sendSignInPage } from "./layout.ts";
import { renderMarkdown } from "./markdown.ts";
import { createPageGuard, type PageAccess, type PageAccessDependencies } from "./page-access.ts";
import { renderPullRequestPage } from "./pull-request-page.ts";

/** Past this, files are named on the page without their diff. */
const PAGE_PATCH_BYTES_MAX = 2 * 1024 * 1024;
const TEXT_PATCH_BYTES_MAX = 16 * 1024 * 1024;
const FORM_BYTES_MAX = 16 * 1024;

export interface PullRequestPagesDependencies extends PageAccessDependencies {
  builtinHost: BuiltinHost;
  projects: Pick<Projects, "get">;
  authenticateKey(key: string, address: string): Promise<{ projectId: string; scope: KeyScope } | undefined>;
}

interface Found {
  project: Project;
  details: PullRequestDetails;
  access: PageAccess;
  /** `/projects/{id}/pull/{number}` */
  path: string;
}

type Params = { projectId: string; number: string };

/** The pages where people read, merge and close pull requests of the built-in host. Rendered here; no script runs. */
export function createPullRequestPages(dependencies: PullRequestPagesDependencies): FastifyPluginAsync {
  const { builtinHost, projects, authenticateKey } = dependencies;
  const guard = createPageGuard(dependencies);

  /** Undefined: the reader has been answered already. Nobody learns without access what is there. */
  async function find(request: FastifyRequest<{ Params: Params }>, reply: FastifyReply): Promise<Found | undefined> {
    const { projectId } = request.params;
    const number = readPullRequestNumber(request.params.number);
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(projectId) || number === undefined) {
      sendMessagePage(reply, 404, "Nothing here", "There is no such pull request. Check the link.");
      return undefined;
    }
    const path = `/projects/${projectId}/pull/${number}`;
    const access = guard.access(request, projectId);
    if (access === "none") {
      if (dependencies.openPages) refuseHost(reply);
      else sendSignInPage(reply, { projectId, next: path });
      return undefined;
    }
    const project = await projects.get(projectId);
    const details = project && (await builtinHost.getPullRequestDetails(projectId, number));
    if (project === undefined || details === undefined) {
      sendMessagePage(reply, 404, "Nothing here", "There is no such pull request in this project. Check the link.");
      return undefined;
    }
    return { project, details, access, path };
  }

  function refuseHost(reply: FastifyReply): void {
    const message = `Open this page under ${dependencies.publicUrl}, or set DOCENT_PUBLIC_URL to the address you use.`;
    sendMessagePage(reply, 403, "Wrong address", message);
  }

  async function sendPullRequest(reply: FastifyReply, found: Found, status = 200, problem?: string) {
    const { project, details, access, path } = found;
    const { patch, complete } =
      details.comparison === null
        ? { patch: Buffer.alloc(0), complete: true }
        : await builtinHost.readPatch(project.id, details.comparison, PAGE_PATCH_BYTES_MAX);
    const body = renderPullRequestPage({
      projectName: project.name,
      path,
      repositoryUrl: project.repository,
      details,
      summary: await renderMarkdown(details.body),
      patch: patch.toString("utf8"),
      patchComplete: complete,
      formToken: access === "write" ? guard.formToken(project.id, details.number) : null,
      ...(problem === undefined ? {} : { problem }),
    });
    return sendPage(reply, status, `${details.title} · #${details.number} · ${project.name}`, body);
  }

  async function sendImage(reply: FastifyReply, { project, details }: Found, oid: string) {
    const file = details.comparison?.files.find(({ oldOid, newOid }) => oldOid === oid || newOid === oid);
    // A moved file may have had another ending before.
    const type = file && imageType(file.oldOid === oid ? (file.oldPath ?? file.path) : file.path);
    if (type === undefined) return sendMessagePage(reply, 404, "Nothing here", "There is no such image.");
    return reply
      .headers({
        "content-type": type,
        "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        "x-content-type-options": "nosniff",
        "cross-origin-resource-policy": "same-origin",
        "cache-control": "private, max-age=31536000, immutable",
      })
      .send(await builtinHost.readBlob(project.id, oid));
  }

  async function endPullRequest(
    operation: "merge" | "close",
    request: FastifyRequest<{ Params: Params }>,
    reply: FastifyReply,
  ) {
    const found = await find(request, reply);
    if (found === undefined) return reply;
    const { project, details, access, path } = found;
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
    if (access !== "write") {
      return await sendPullRequest(
        reply,
        found,
        403,
        `Sign in with a key that has the scope write to ${operation} it.`,
      );
    }
    if (!guard.isOwnForm(request, form.get("token") ?? undefined, project.id, details.number)) {
      return await sendPullRequest(
        reply,
        found,
        403,
        "This page was too old, or the request came from another site. Press the button again.",
      );
    }
    const head = form.get("head");
    const result =
      operation === "merge"
        ? await builtinHost.mergePullRequest(project.id, details.number, head ? { expectedHead: head } : {})
        : await builtinHost.closePullRequest(project.id, details.number);
    if (result !== undefined && "refused" in result) {
      // The state may have changed since: shows it as it is now.
      const now = (await builtinHost.getPullRequestDetails(project.id, details.number)) ?? details;
      return await sendPullRequest(reply, { ...found, details: now }, 409, result.refused);
    }
    return reply.redirect(path, 303);
  }

  async function signIn(request: FastifyRequest<{ Params: { projectId: string } }>, reply: FastifyReply) {
    const { projectId } = request.params;
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
    const asked = form.get("next") ?? "";
    // Only to a pull request of this very project; never to where a crafted form points.
    const number = asked.startsWith(`/projects/${projectId}/pull/`) ? asked.slice(asked.lastIndexOf("/") + 1) : "";
    const next = `/projects/${projectId}/pull/${readPullRequestNumber(number) ?? 1}`;
    const key = await authenticateKey((form.get("key") ?? "").trim(), request.ip);
    if (key?.projectId !== projectId || key.scope === "collect") {
      return sendSignInPage(reply, {
        projectId: encodeURIComponent(projectId),
        next,
        problem: "This key does not open this project. Check that it is complete, not revoked, and of this project.",
      });
    }
    guard.signIn(request, reply, projectId, key.scope);
    return reply.redirect(next, 303);
  }

  return async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser(
      "application/x-www-form-urlencoded",
      { parseAs: "string", bodyLimit: FORM_BYTES_MAX },
      (_request, body, done) => done(null, new URLSearchParams(body.toString())),
    );
    const hidden = { schema: { hide: true } };
    const page = "/projects/:projectId/pull/:number";

    app.get<{ Params: Params }>(page, hidden, async (request, reply) => {
      const found = await find(request, reply);
      return found === undefined ? reply : await sendPullRequest(reply, found);
    });

    app.get<{ Params: Params }>(`${page}/diff`, hidden, async (request, reply) => {
      const found = await find(request, reply);
      if (found === undefined) return reply;
      const { project, details } = found;
      const diff =
        details.comparison && (await builtinHost.readPatch(project.id, details.comparison, TEXT_PATCH_BYTES_MAX));
      return reply
        .headers({ "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" })
        .send(diff?.patch ?? "");
    });

    app.get<{ Params: Params & { oid: string } }>(`${page}/images/:oid`, hidden, async (request, reply) => {
      const found = await find(request, reply);
      return found === undefined ? reply : await sendImage(reply, found, request.params.oid);
    });

    for (const operation of ["merge", "close"] as const) {
      app.post<{ Params: Params }>(`${page}/${operation}`, hidden, (request, reply) =>
        endPullRequest(operation, request, reply),
      );
    }
    app.post<{ Params: { projectId: string } }>("/projects/:projectId/sign-in", hidden, signIn);
  };
}
