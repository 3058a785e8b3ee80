import { parentPort, workerData } from "node:worker_threads";
import { renderMarkdownNow } from "./markdown.ts";

/** Renders one long text, on a thread of its own: see markdown.ts. */
const { text }: { text: string } = workerData;

parentPort?.postMessage(renderMarkdownNow(text), []);
