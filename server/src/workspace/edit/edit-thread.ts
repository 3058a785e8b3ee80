import { parentPort, workerData } from "node:worker_threads";
import { editText, type TextEdit } from "../edit.ts";

/** Edits one large file, on a thread of its own: see edit-large.ts. */
const { content, edits }: { content: Uint8Array; edits: readonly TextEdit[] } = workerData;

parentPort?.postMessage(editText(content, edits), []);
