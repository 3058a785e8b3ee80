import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

const hasCurl = run("curl", ["--version"]).then(
  () => true,
  () => false,
);

export interface CurlAnswer {
  status: number;
  body: string;
}

/** Runs a copied `curl` command in a shell; on a machine without curl, sends the request that it describes. */
export async function runCurl(command: string): Promise<CurlAnswer> {
  if (!(await hasCurl)) return await send(command);
  const { stdout } = await run("/bin/sh", ["-c", `${command} -s -w '\\n%{http_code}'`]);
  const end = stdout.lastIndexOf("\n");
  return { status: Number(stdout.slice(end + 1)), body: stdout.slice(0, end) };
}

async function send(command: string): Promise<CurlAnswer> {
  const [program, ...words] = shellWords(command);
  if (program !== "curl") throw new Error(`Not a curl command: ${command}`);
  const headers: Record<string, string> = {};
  let url = "";
  let method: string | undefined;
  let body: string | undefined;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    const value = words[index + 1] ?? "";
    if (word === "-H" || word === "--header") {
      const colon = value.indexOf(":");
      headers[value.slice(0, colon)] = value.slice(colon + 1).trim();
    } else if (word === "-X" || word === "--request") method = value;
    else if (word === "-d" || word === "--data") body = value;
    else if (!word.startsWith("-")) url = word;
    else throw new Error(`This test does not know the option ${word} of curl.`);
    if (word.startsWith("-")) index += 1;
  }
  const answer = await fetch(url, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers,
    ...(body === undefined ? {} : { body }),
  });
  return { status: answer.status, body: await answer.text() };
}

/** The words of a command, as a POSIX shell splits it. Knows quotes and backslashes, and no expansion. */
function shellWords(command: string): string[] {
  const pieces = command.replaceAll("\\\n", " ").matchAll(/(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/gs);
  return [...pieces].map(([word]) =>
    word.replace(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/gs, (_whole, single, double, escaped) =>
      single !== undefined ? single : double !== undefined ? double.replace(/\\(["\\$`])/g, "$1") : escaped,
    ),
  );
}
