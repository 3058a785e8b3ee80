import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { BROKEN_PIPE_EXIT_CODE } from "./broken-pipe.ts";

const ROWS = 20_000;
const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));

/** A service whose one report is longer than a pipe holds. */
async function startReport() {
  const csv = `path,human,ai,total\r\n${"/page,1,0,1\r\n".repeat(ROWS)}`;
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "text/csv").end(csv);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return { url: `http://127.0.0.1:${address.port}`, close: () => server.close() };
}

test("a reader that has read enough ends the command without a word", async () => {
  const report = await startReport();
  try {
    const child = spawn(process.execPath, [MAIN, "visitors", "--csv"], {
      env: { DOCENT_URL: report.url, DOCENT_PROJECT: "prj_a", DOCENT_API_KEY: "docent_a" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let error = "";
    child.stderr.on("data", (piece: Buffer) => (error += piece.toString("utf8")));
    child.stdout.once("data", () => child.stdout.destroy());
    const [code] = (await once(child, "close")) as [number];
    expect([code, error]).toEqual([BROKEN_PIPE_EXIT_CODE, ""]);
  } finally {
    report.close();
  }
});
