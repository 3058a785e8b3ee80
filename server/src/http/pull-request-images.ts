import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import type { BuiltinHost } from "../codehost/builtin/builtin.ts";
import { ApiError } from "../errors.ts";
import { requireId } from "./path-id.ts";
import { readPullRequestNumber } from "./pull-requests.ts";

const TYPES: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
  ico: "image/x-icon",
  svg: "image/svg+xml",
};

export interface PullRequestImageDependencies {
  builtinHost: Pick<BuiltinHost, "getPullRequestDetails" | "readBlob">;
  /** @throws ApiError 401 or 403 for who may not. */
  authorize(request: FastifyRequest, projectId: string, access: "read"): Promise<void>;
}

type Params = { projectId: string; number: string; oid: string };

/**
 * The images that a pull request on the built-in code host changes, before and after, for the dashboard's `img` elements.
 * Only by object ids that the pull request names: nothing else of the repository is to be had here.
 */
export function createPullRequestImageRoutes(dependencies: PullRequestImageDependencies): FastifyPluginAsync {
  const { builtinHost, authorize } = dependencies;
  return async (app) => {
    app.get<{ Params: Params }>(
      "/v1/projects/:projectId/pulls/:number/images/:oid",
      { schema: { hide: true }, onRequest: (request) => authorize(request, request.params.projectId, "read") },
      async (request, reply) => {
        const projectId = requireId(request.params.projectId);
        const { oid } = request.params;
        const number = readPullRequestNumber(request.params.number);
        const details = number === undefined ? undefined : await builtinHost.getPullRequestDetails(projectId, number);
        const file = details?.comparison?.files.find(({ oldOid, newOid }) => oldOid === oid || newOid === oid);
        // A moved file may have had another ending before.
        const path = file?.oldOid === oid ? (file.oldPath ?? file.path) : file?.path;
        const type = path === undefined ? undefined : TYPES[path.slice(path.lastIndexOf(".") + 1).toLowerCase()];
        if (type === undefined) throw new ApiError("not_found");
        return reply
          .headers({
            "content-type": type,
            // An SVG that is opened by itself runs nothing.
            "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
            "x-content-type-options": "nosniff",
            "cross-origin-resource-policy": "same-origin",
            "cache-control": "private, max-age=31536000, immutable",
          })
          .send(await builtinHost.readBlob(projectId, oid));
      },
    );
  };
}
