import { parentPort } from "node:worker_threads";
import { readPageSource, type PageSource } from "./page-source.ts";

parentPort?.on("message", (page: PageSource) => {
  parentPort?.postMessage(readPageSource(page));
});
