import type { FastifyPluginAsyncTypebox, TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { Static } from "typebox";
import type { Authorization, AuthorizedRequest } from "../access/authorization.ts";
import { findChunkFault, type LogChunk } from "../analytics/import/chunk.ts";
import type { LogImports } from "../analytics/import/import.ts";
import type { LogPoint } from "../analytics/import/progress.ts";
import { VisitsBusyError } from "../analytics/store/visits.ts";
import { ApiError } from "../errors.ts";
import { acceptJsonBody, ignoreBody } from "./body.ts";
import { errorResponses } from "./error-answers.ts";
import {
  importChunkParametersSchema,
  importParametersSchema,
  logChunkBodySchema,
  logChunkResultSchema,
  logImportListSchema,
  logImportQuerySchema,
} from "./import-schema.ts";
import { refuseRepeated } from "./repeated-parameters.ts";
import { reference } from "./schema.ts";

/** A chunk of 40,000 views has about 2 MB; long user agents of a scan can make it ten. */
const CHUNK_BYTES_MAX = 32 * 1024 * 1024;

export interface ImportRoutesDependencies {
  imports: LogImports;
  authorization: Pick<Authorization, "requireScope">;
}

/** The import of logs, chunk by chunk. Refusals come in the order 401, 403, the body (413, 415, 400), 409. */
export function createImportRoutes({ imports, authorization }: ImportRoutesDependencies): FastifyPluginAsyncTypebox {
  const allow = (request: AuthorizedRequest & { params: { projectId: string } }): Promise<void> =>
    authorization.requireScope(request, request.params.projectId, "collect");
  const route = { tags: ["Analytics"], security: [{ apiKey: ["collect"] }, { session: [] }] };

  return async (app) => {
    await app.register(async (plainApp) => {
      ignoreBody(plainApp);
      plainApp.withTypeProvider<TypeBoxTypeProvider>().get(
        "/v1/collect/:projectId/imports",
        {
          schema: {
            ...route,
            operationId: "findImports",
            summary: "Find how far a log is imported",
            description:
              "A log is recognised by its first line and by the SHA-256 of what is imported of it, whatever its name and compression.",
            params: importParametersSchema,
            querystring: logImportQuerySchema,
            response: {
              200: reference(logImportListSchema, "The imports of logs with this first line."),
              ...errorResponses(400, 401, 403, 503),
            },
          },
          onRequest: allow,
          preValidation: refuseRepeated("firstLine"),
        },
        async (request) => {
          const firstLine = Buffer.from(request.query.firstLine, "hex");
          const found = await imports.find(request.params.projectId, firstLine);
          return {
            imports: found.map(({ id, bytes, sha256, createdAt, updatedAt }) => ({
              id,
              bytes,
              sha256: sha256.toString("hex"),
              createdAt: createdAt.toISOString(),
              updatedAt: updatedAt.toISOString(),
            })),
          };
        },
      );
    });

    await app.register(async (jsonApp) => {
      acceptJsonBody(jsonApp);
      jsonApp.withTypeProvider<TypeBoxTypeProvider>().post(
        "/v1/collect/:projectId/imports/:importId/chunks",
        {
          bodyLimit: CHUNK_BYTES_MAX,
          schema: {
            ...route,
            operationId: "importChunk",
            summary: "Import a part of a log",
            description:
              "Stores the page views between two points of a log and moves the import from the first point to the second: both or neither, and once however often it is sent. Answers 409 when the import is not at the first point: find out where it is, and go on there.",
            params: importChunkParametersSchema,
            body: logChunkBodySchema,
            response: {
              200: reference(logChunkResultSchema, "The views are stored."),
              ...errorResponses(400, 401, 403, 409, 413, 415, 503),
            },
          },
          onRequest: allow,
        },
        async (request) => {
          const { projectId, importId } = request.params;
          const chunk = readChunk(projectId, importId, request.body);
          const fault = findChunkFault(chunk);
          if (fault !== undefined) throw invalid(fault);
          const answer = await storeUnlessBusy(chunk);
          if ("refused" in answer) {
            // The project was deleted after its key was checked.
            if (answer.refused === "not_found") throw new ApiError("forbidden");
            throw new ApiError("conflict", {
              message: "The import is not where this chunk begins. Find out where it is, and go on there.",
            });
          }
          return { ...answer, rejected: [...answer.rejected] };
        },
      );
    });

    async function storeUnlessBusy(chunk: LogChunk) {
      try {
        return await imports.store(chunk);
      } catch (error) {
        if (!(error instanceof VisitsBusyError)) throw error;
        throw new ApiError("unavailable", {
          message: error.message,
          headers: { "retry-after": String(error.retryAfterSeconds) },
        });
      }
    }
  };
}

function readChunk(projectId: string, importId: string, body: Static<typeof logChunkBodySchema>): LogChunk {
  const { firstLine, from, to, others = [], views, globalPrivacyControl = [], ...dictionaries } = body;
  if (!/^imp_[0-9A-Za-z]{1,64}$/.test(importId)) {
    throw invalid("importId must be imp_ and up to 64 letters and digits");
  }
  return {
    ...dictionaries,
    step: {
      projectId,
      importId,
      firstLine: Buffer.from(firstLine, "hex"),
      from: readPoint(from),
      to: readPoint(to),
      others,
    },
    columns: views,
    globalPrivacyControl,
  };
}

function readPoint({ bytes, sha256 }: { bytes: number; sha256: string }): LogPoint {
  return { bytes, sha256: Buffer.from(sha256, "hex") };
}

function invalid(message: string): ApiError {
  return new ApiError("invalid_request", { message: `${message}.`, details: [{ message }] });
}
