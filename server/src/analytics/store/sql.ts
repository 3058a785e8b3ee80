import { readFileSync } from "node:fs";

/**
 * The text of an `.sql` file beside the caller's. Parts that several statements share stand in it as `{{name}}` and are given here; what
 * differs from call to call is bound by the engine instead.
 * @param module the caller's `import.meta.url`
 */
export function loadSql(module: string, name: string, parts: Readonly<Record<string, string>> = {}): string {
  const text = readFileSync(new URL(name, module), "utf8");
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, part: string) => {
    const given = parts[part];
    if (given === undefined) throw new Error(`${name} needs the part ${part}.`);
    return given;
  });
}
