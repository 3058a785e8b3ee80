import type { JSONObject } from "@ai-sdk/provider";
import { plural } from "../../../plural.ts";
import { isJsonObject } from "../../json-object.ts";
import type { ToolOutput } from "../../transcript.ts";
import type { Instruction } from "./instruction.ts";
import { callTool, countField, outputField, outputText, type PlannedCall, type Task } from "./task.ts";

type Of<Type extends Instruction["type"]> = Extract<Instruction, { type: Type }>;

const LISTED_MAX = 20;

export function* replaceTerm(instruction: Of<"replace">): Task {
  const { find, replace, scope, wholeWord, ignoreCase, glob } = instruction;
  const missing = glob === undefined ? undefined : yield* missingFiles(glob);
  if (missing !== undefined) return { type: "failed", reason: missing };
  const output = yield* callTool("replace_text", {
    find,
    replace,
    scope,
    ...(wholeWord ? { wholeWord } : {}),
    ...(ignoreCase ? { ignoreCase } : {}),
    ...(glob === undefined ? {} : { glob }),
  });
  if (output.type !== "json") return { type: "failed", reason: outputText(output) };
  const replaced = countField(output, "replaced");
  const place = glob === undefined ? "the documentation" : `\`${glob}\``;
  const skipped = listSkipped(output, "skipped");
  if (replaced === 0) {
    const otherCase = countField(output, "filesWithOtherCase");
    const hint = otherCase > 0 ? ` ${plural(otherCase, "file")} hold it in another case: add "ignoring case".` : "";
    const nothing = `"${find}" does not occur in ${place}${scope === "prose" ? " outside code and addresses" : ""}, so nothing was replaced.${hint}`;
    if (!instruction.isQuoted)
      return { type: "failed", reason: `${nothing} If you meant something else, put the texts in quotes.` };
    return {
      type: "done",
      title: `Replace "${find}" with "${replace}"`,
      summary: nothing + skipped,
      changedFiles: false,
    };
  }
  const inside = countField(output, "insideLongerWords");
  const insideHint =
    inside > 0
      ? ` ${plural(inside, "occurrence")} stood inside longer words: check them, or ask for "whole words" only.`
      : "";
  const kept = scope === "prose" ? " Code, addresses, JSX attributes and front matter keys were left alone." : "";
  return {
    type: "done",
    title: `Replace "${find}" with "${replace}"`,
    summary: `Replaced "${find}" with "${replace}" ${plural(replaced, "time")} in ${plural(countField(output, "filesChanged"), "file")} of ${place}.${kept}${insideHint}${skipped}`,
    changedFiles: true,
  };
}

export function* movePage({ from, to }: Of<"move">): Task {
  const output = yield* callTool("move_file", { from, to });
  if (output.type !== "json") return { type: "failed", reason: outputText(output) };
  const moved = outputField(output, "moved");
  const redirect = outputField(output, "redirect");
  const paths = isJsonObject(moved) ? { from: fieldText(moved, "from"), to: fieldText(moved, "to") } : { from, to };
  const redirected = isJsonObject(redirect)
    ? ` A redirect leads from \`${fieldText(redirect, "source")}\` to \`${fieldText(redirect, "destination")}\`.`
    : " No redirect was added: add one where the site is served if the old address must keep working.";
  return {
    type: "done",
    title: `Move ${paths.from} to ${paths.to}`,
    summary: `Moved \`${paths.from}\` to \`${paths.to}\`. Links were rewritten in ${plural(countField(output, "filesWithLinks"), "file")}, and ${plural(countField(output, "navigationEntries"), "navigation entry", "navigation entries")} changed.${redirected}`,
    changedFiles: true,
  };
}

export function* addPage({ path, title, text, group, after }: Of<"add-page">): Task {
  const navigation =
    group === undefined && after === undefined
      ? undefined
      : { ...(group === undefined ? {} : { group }), ...(after === undefined ? {} : { after }) };
  const hasFrontMatter = /^---[ \t]*\r?\n/.test(text);
  const content = hasFrontMatter ? `${text}\n` : `---\ntitle: ${JSON.stringify(title)}\n---\n\n${text}\n`;
  const written = yield* callTool("write_file", { path, content, ...(navigation === undefined ? {} : { navigation }) });
  if (written.type === "error-text") return { type: "failed", reason: outputText(written) };
  if (hasFrontMatter) {
    const set = yield* callTool("set_front_matter", { path, field: "title", value: title });
    if (set.type === "error-text") return { type: "failed", reason: outputText(set) };
  }
  const place =
    navigation === undefined
      ? ' It is in no navigation yet: say `in group "…"` or `after …` to place it.'
      : ` It stands ${after === undefined ? `in the group "${group}"` : `after \`${after}\``} of the navigation.`;
  return {
    type: "done",
    title: `Add the page "${title}"`,
    summary: `${outputText(written)}${place}`,
    changedFiles: true,
  };
}

export function* setField({ field, value, target }: Of<"set-field">): Task {
  const resolved = yield* resolveTarget(target);
  if ("failed" in resolved) return { type: "failed", reason: resolved.failed };
  const output = yield* callTool("set_front_matter", { ...resolved, field, value });
  if (output.type !== "json") return { type: "failed", reason: outputText(output) };
  const changed = outputField(output, "changed");
  const count = countField(output, "filesChanged") || (Array.isArray(changed) ? changed.length : 0);
  const unchanged = countField(output, "unchanged");
  const already = unchanged > 0 ? ` ${plural(unchanged, "page")} had it already.` : "";
  return {
    type: "done",
    title: `Set ${field} in ${target === "**" ? "all pages" : target}`,
    summary: `Set \`${field}\` to ${JSON.stringify(value)} in ${plural(count, "page")}.${already}${listSkipped(output, "refused")}`,
    changedFiles: count > 0,
  };
}

/** A glob, a folder or a page: a bare name that is both a folder and a page is asked about. */
function* resolveTarget(
  target: string,
): Generator<PlannedCall[], { path: string } | { glob: string } | { failed: string }, ToolOutput[]> {
  if (/[*{}[\]?]/.test(target) || target.endsWith("/")) return { glob: target };
  const bare = target.replace(/^\/+/, "");
  const outputs = yield [
    { toolName: "list_files", input: { glob: `${bare}/**`, limit: 1 } },
    { toolName: "list_files", input: { glob: `{${bare},${bare}.md,${bare}.mdx}`, limit: 1 } },
  ];
  const [isFolder, isFile] = outputs.map((output) => !outputText(output).startsWith("[No file matches"));
  if (isFolder === true && isFile === true) {
    return {
      failed: `"${target}" is both a page and a folder: say ${target}.mdx for the page or ${target}/** for all that the folder holds.`,
    };
  }
  return isFolder === true ? { glob: `${bare}/**` } : { path: target };
}

export function* missingFiles(glob: string): Generator<PlannedCall[], string | undefined, ToolOutput[]> {
  const output = yield* callTool("list_files", { glob, limit: 1 });
  return outputText(output).startsWith("[No file matches") ? `No file matches "${glob}".` : undefined;
}

function fieldText(value: JSONObject, name: string): string {
  const field = value[name];
  return typeof field === "string" ? field : "";
}

function listSkipped(output: ToolOutput, name: string): string {
  const skipped = outputField(output, name);
  if (!Array.isArray(skipped) || skipped.length === 0) return "";
  const lines = skipped
    .slice(0, LISTED_MAX)
    .flatMap((each) => (isJsonObject(each) ? [`- \`${fieldText(each, "path")}\`: ${fieldText(each, "reason")}`] : []));
  const more = skipped.length > LISTED_MAX ? `\n- and ${skipped.length - LISTED_MAX} more` : "";
  return `\n\nLeft as they were:\n\n${lines.join("\n")}${more}`;
}
