import { isShortened, visibleTranscript } from "../compaction.ts";
import { isJsonObject } from "../json-object.ts";
import { readRounds } from "../rounds.ts";
import type { ToolCall, Transcript } from "../transcript.ts";
import type { Paths } from "./paths.ts";

const PATH_FIELDS: Readonly<Record<string, string>> = {
  read_file: "path",
  edit_file: "path",
  write_file: "path",
  set_front_matter: "path",
  move_file: "to",
};

/**
 * True when the model has seen or written this file in this job, so that it edits what it knows. What it no longer sees,
 * because the conversation was shortened, it does not know any more.
 */
export function isKnownFile(transcript: Transcript, paths: Paths, path: string): boolean {
  return readRounds(visibleTranscript(transcript))
    .flatMap(({ calls }) => calls)
    .filter(({ output }) => output !== undefined && output.type !== "error-text" && !isShortened(output))
    .some(({ call }) => {
      const named = namedPath(call);
      if (named === undefined) return false;
      if (named === path) return true;
      const found = paths.find(named);
      return "path" in found && found.path === path;
    });
}

function namedPath({ toolName, input }: ToolCall): string | undefined {
  const field = Object.hasOwn(PATH_FIELDS, toolName) ? PATH_FIELDS[toolName] : undefined;
  if (field === undefined || !isJsonObject(input)) return undefined;
  const value = input[field];
  return typeof value === "string" ? value : undefined;
}
