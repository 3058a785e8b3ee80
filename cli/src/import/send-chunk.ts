import { DocentError, type Docent, type LogChunk, type LogChunkResult } from "@docent/sdk";

/** For how long a service may be away, as it is while it starts again. */
const PATIENCE_MS = 120_000;
const PAUSE_MS = 500;
const PAUSE_MS_MAX = 10_000;

/** The import is somewhere else than was thought; whoever asks looks again. */
export class ImportMovedError extends Error {
  override name = "ImportMovedError";
}

export interface ChunkSenderDependencies {
  imports: Docent["imports"];
  projectId: string;
  importId: string;
  now: () => Date;
  pause: (milliseconds: number) => Promise<void>;
  /** Called before each pause. */
  onWait: (reason: string) => void;
}

/**
 * Sends a chunk until it is answered. An answer that was lost is no harm: the service knows a chunk that it has stored.
 * @throws ImportMovedError
 */
export async function sendChunk(dependencies: ChunkSenderDependencies, chunk: LogChunk): Promise<LogChunkResult> {
  const { imports, projectId, importId, now, pause, onWait } = dependencies;
  const givesUpAt = now().getTime() + PATIENCE_MS;
  for (let pauseMs = PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX)) {
    try {
      return await imports.storeChunk(projectId, importId, chunk);
    } catch (error) {
      if (!(error instanceof DocentError)) throw error;
      if (error.code === "conflict") throw new ImportMovedError(error.message);
      const wait = error.retryAfter === undefined ? pauseMs : error.retryAfter * 1000;
      if (!isTransient(error) || now().getTime() + wait > givesUpAt) throw error;
      onWait(error.message);
      await pause(wait);
    }
  }
}

function isTransient(error: DocentError): boolean {
  return error.code === "unreachable" || [429, 502, 503, 504].includes(error.status);
}
