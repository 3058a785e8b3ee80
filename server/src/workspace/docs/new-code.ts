import { fileURLToPath } from "node:url";
import { newMdxCode } from "./mdx-code.ts";
import { createProcessPool } from "./parser/process-pool.ts";

export interface ChangedPage {
  before: Uint8Array | null;
  after: Uint8Array;
}

/** As for page-parser.ts: whatever stands in a page, the event loop goes on. */
const INLINE_BYTES_MAX = 512;
const TIMEOUT_MS = 30_000;

const pool = createProcessPool<ChangedPage, string[]>({
  program: fileURLToPath(new URL("./mdx-code-process.ts", import.meta.url)),
  processes: 2,
  timeoutMs: TIMEOUT_MS,
  idleMs: 30_000,
});

/** `newMdxCode` away from the event loop. A page that cannot be parsed in time counts as code: nobody knows what it runs. */
export async function findNewCode(page: ChangedPage, signal?: AbortSignal): Promise<string[]> {
  if (!mayRun(page.after)) return [];
  const bytes = (page.before?.length ?? 0) + page.after.length;
  if (bytes <= INLINE_BYTES_MAX) return newMdxCode(page.before, page.after);
  const outcome = await pool.ask(page, signal);
  return "unanswered" in outcome ? ["what cannot be told, as the page is too large or nested too deeply"] : outcome;
}

/** Code stands in braces, in tags, or in lines of import and export. */
function mayRun(content: Uint8Array): boolean {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  return ["{", "<", "import", "export"].some((sign) => bytes.includes(sign));
}
