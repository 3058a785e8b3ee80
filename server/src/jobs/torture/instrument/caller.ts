import { basename } from "node:path";

/** Who is behind a call, of the service's own code: file and function, as far as the stack tells. */
export function findCaller(stack: string | undefined): string {
  const lines = (stack ?? "").split("\n").filter((line) => /\/server\/src\//.test(line));
  for (const line of lines) {
    const [, file = ""] = /\/server\/src\/([^:)]+)/.exec(line) ?? [];
    if (/^(git\/git|database\/)|\/torture\//.test(file)) continue;
    const [, name = ""] = /at (?:async )?([\w.<>]+) \(/.exec(line) ?? [];
    const method = name.replace(/^(Object|Function)\./, "").replace(/.*<anonymous>.*/, "");
    return method === "" ? basename(file) : `${basename(file)} ${method}`;
  }
  return "";
}
