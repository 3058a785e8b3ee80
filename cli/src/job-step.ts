import type { JobEvent } from "@docent/sdk";

/** What one event of a job looks like to a person. */
export type JobStep =
  /** Something that began: shown while it lasts. */
  | { kind: "doing"; text: string }
  /** Reading and searching: worth a line only for those who ask for all of them. */
  | { kind: "looked"; text: string }
  | { kind: "changed"; text: string }
  | { kind: "refused"; text: string }
  | { kind: "prompt"; text: string }
  | { kind: "said"; text: string }
  | { kind: "status" };

type Json = Record<string, unknown>;

const LOOKING = new Set(["list_files", "read_file", "search", "todo_write"]);

/** Turns a job's events into steps. Remembers the calls, because a result names only the tool and the call's id. */
export function createJobSteps(): (event: JobEvent) => JobStep[] {
  const calls = new Map<string, Json>();

  function stepsOfAnswer(data: Json): JobStep[] {
    return objects(data["content"]).flatMap((part): JobStep[] => {
      if (part["type"] === "text") {
        const text = string(part["text"]).trim();
        return text === "" ? [] : [{ kind: "said", text: firstLine(text) }];
      }
      if (part["type"] !== "tool-call") return [];
      const input = object(part["input"]);
      calls.set(string(part["toolCallId"]), input);
      return [{ kind: "doing", text: describeCall(string(part["toolName"]), input, {}, "doing") }];
    });
  }

  function stepsOfResult(data: Json): JobStep[] {
    const tool = string(data["toolName"]);
    const input = calls.get(string(data["toolCallId"])) ?? {};
    const output = object(data["output"]);
    if (output["type"] === "error-text") {
      const call = describeCall(tool, input, {}, "doing");
      return [{ kind: "refused", text: `${call}: ${firstLine(string(output["value"]))}` }];
    }
    if (tool === "finish" || tool === "give_up") return [];
    const text = describeCall(tool, input, object(output["value"]), "done");
    return [{ kind: LOOKING.has(tool) ? "looked" : "changed", text }];
  }

  return (event) => {
    switch (event.type) {
      case "message":
        return [{ kind: "prompt", text: firstLine(string(event.data["prompt"])) }];
      case "answer":
        return stepsOfAnswer(event.data);
      case "tool-result":
        return stepsOfResult(event.data);
      case "publish":
        return [{ kind: "doing", text: `Publishing ${string(event.data["branch"])}` }];
      case "status":
        return [{ kind: "status" }];
      case "note":
        return [{ kind: "doing", text: firstLine(string(event.data["text"])) }];
      case "compaction":
        return [{ kind: "doing", text: "Shortening the conversation, which fills the model's memory" }];
      case "prompt":
        // A worker has taken the message.
        return [{ kind: "doing", text: "Thinking" }];
      case "turn-end":
        return [];
      default:
        return [];
    }
  };
}

function describeCall(tool: string, input: Json, output: Json, tense: "doing" | "done"): string {
  const verb = (doing: string, done: string): string => (tense === "doing" ? doing : done);
  const path = string(input["path"]);
  switch (tool) {
    case "list_files":
      return `${verb("Listing", "Listed")} ${string(input["glob"]) || "the files"}`;
    case "read_file":
      return `${verb("Reading", "Read")} ${path}`;
    case "search":
      return `${verb("Searching for", "Searched for")} ${quote(string(input["pattern"]))}`;
    case "edit_file":
      return `${verb("Editing", "Edited")} ${path}`;
    case "write_file":
      return `${verb("Writing", "Wrote")} ${path}`;
    case "move_file":
      return `${verb("Moving", "Moved")} ${string(input["from"])} to ${string(input["to"])}`;
    case "delete_file":
      return `${verb("Deleting", "Deleted")} ${path}`;
    case "replace_text": {
      const texts = `${quote(string(input["find"]))} with ${quote(string(input["replace"]))}`;
      return `${verb("Replacing", "Replaced")} ${texts}${countOf(output, "filesChanged", "file")}`;
    }
    case "set_front_matter":
      return `${verb("Setting", "Set")} ${string(input["field"])} in ${path || string(input["glob"])}`;
    case "check_docs": {
      const found = number(output["total"]);
      if (tense === "doing" || found === undefined) return verb("Checking the docs", "Checked the docs");
      return `Checked the docs: ${found === 0 ? "no problems" : `${found} ${found === 1 ? "problem" : "problems"}`}`;
    }
    case "todo_write": {
      const todos = objects(input["todos"]);
      const completed = todos.filter((todo) => todo["status"] === "completed").length;
      const current = string(todos.find((todo) => todo["status"] === "in_progress")?.["content"]);
      const progress = `${completed} of ${todos.length} steps`;
      return `${verb("Planning", "Planned")}: ${progress}${current === "" ? "" : `, now ${quote(current)}`}`;
    }
    case "finish":
      return "Finishing";
    case "give_up":
      return "Giving up";
    default:
      return `${verb("Running", "Ran")} ${tool}`;
  }
}

/** ` in 12 files`, from a list or a number under this name; nothing when the tool did not say. */
function countOf(output: Json, field: string, unit: string): string {
  const listed = output[field];
  const count = Array.isArray(listed) ? listed.length : number(listed);
  return count === undefined ? "" : ` in ${count} ${count === 1 ? unit : `${unit}s`}`;
}

function quote(text: string): string {
  return `“${firstLine(text)}”`;
}

function firstLine(text: string): string {
  const [first = "", ...others] = text.trim().split("\n");
  // A terminal would obey the escape sequences that a page or a model wrote.
  const line = first.replaceAll(/\p{Cc}+/gu, " ").trimEnd();
  return others.length === 0 ? line : `${line} …`;
}

function object(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function objects(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(object) : [];
}

function string(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function number(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
