/**
 * Speaks as much of ClickHouse's HTTP interface as its own client uses (https://clickhouse.com/docs/interfaces/http), over chDB.
 *
 *     node clickhouse-program.ts <directory> <port>
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { openChdb } from "../store/connect.ts";
import { isOfEngine } from "../store/engine.ts";

const [directory = "", port = "0"] = process.argv.slice(2);
const { client } = await openChdb(directory);

/** Of the connection and its transfer; they mean nothing to the engine. */
const OWN_PARAMETERS = new Set(["query", "query_id", "database", "default_format", "session_id", "role"]);

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", "http://clickhouse");
  if (url.pathname === "/ping") {
    response.end("Ok.\n");
    return;
  }
  const parameters: Record<string, string> = {};
  const settings: Record<string, string> = {};
  for (const [name, value] of url.searchParams) {
    if (name.startsWith("param_")) parameters[name.slice("param_".length)] = value;
    else if (!OWN_PARAMETERS.has(name) && !name.startsWith("http_") && name !== "send_progress_in_http_headers")
      settings[name] = value;
  }
  const body = (await buffer(request)).toString("utf8");
  const prefix = url.searchParams.get("query");
  const sql = prefix === null ? body : `${prefix}\n${body}`;
  try {
    const result = await client.exec({ query: sql, query_params: parameters, clickhouse_settings: settings });
    response.setHeader("x-clickhouse-query-id", result.query_id);
    for await (const chunk of result.stream) response.write(chunk);
    response.end();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const code = error instanceof Error && "code" in error ? String(error.code) : "0";
    response.writeHead(isOfEngine(error) ? 400 : 500, { "x-clickhouse-exception-code": code });
    response.end(`Code: ${code}. DB::Exception: ${message} (version 26.7.2.1)\n`);
  }
}

// ClickHouse's own limit of URLs (http_max_uri_size): bound values arrive in them.
const URL_BYTES_MAX = 1_048_576;

const server = createServer({ maxHeaderSize: URL_BYTES_MAX }, (request, response) => void answer(request, response));
server.listen(Number(port), "127.0.0.1", () => console.log("ready"));
