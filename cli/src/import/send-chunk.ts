import { DocentError, type Docent, type LogChunk, type LogChunkResult } from "@docent/sdk";
import { askPatiently, type PatienceDependencies } from "./patience.ts";

/** The import is somewhere else than was thought; whoever asks looks again. */
export class ImportMovedError extends Error {
  override name = "ImportMovedError";
}

export interface ChunkSenderDependencies extends PatienceDependencies {
  imports: Docent["imports"];
  projectId: string;
  importId: string;
}

/**
 * Sends a chunk until it is answered. An answer that was lost is no harm: the service knows a chunk that it has stored.
 * @throws ImportMovedError
 */
export async function sendChunk(dependencies: ChunkSenderDependencies, chunk: LogChunk): Promise<LogChunkResult> {
  const { imports, projectId, importId } = dependencies;
  try {
    return await askPatiently(() => imports.storeChunk(projectId, importId, chunk), dependencies);
  } catch (error) {
    if (error instanceof DocentError && error.code === "conflict") throw new ImportMovedError(error.message);
    throw error;
  }
}
