import type { ImportChunkBody, LogChunkResult, LogImport, LogImportList } from "./generated.ts";
import { path, type Requester, type RequestOptions } from "./request.ts";

export interface Imports {
  /**
   * How far logs with this first line are imported, the furthest first.
   * @param firstLine SHA-256 of the first line that is no header, in hexadecimal.
   */
  find(projectId: string, firstLine: string, options?: RequestOptions): Promise<LogImport[]>;
  /**
   * Stores the page views between two points of a log. The same chunk may be sent again, and counts once.
   * @param importId A name for this run of the import: `imp_` and up to 64 letters and digits.
   * @throws DocentError `conflict` when the import is not where the chunk begins: `find` says where it is.
   */
  storeChunk(
    projectId: string,
    importId: string,
    chunk: ImportChunkBody,
    options?: RequestOptions,
  ): Promise<LogChunkResult>;
}

export function createImports(requester: Requester): Imports {
  return {
    async find(projectId, firstLine, options) {
      const answer = await requester.json<LogImportList>("GET", path`/v1/collect/${projectId}/imports`, {
        credential: "api-key",
        signal: options?.signal,
        query: { firstLine },
      });
      return answer.imports;
    },
    storeChunk: (projectId, importId, chunk, options) =>
      requester.json("POST", path`/v1/collect/${projectId}/imports/${importId}/chunks`, {
        credential: "api-key",
        signal: options?.signal,
        body: chunk,
      }),
  };
}
