import type { JobDelta, JobEvent } from "@docent/sdk";
import { isRecord, listOf, recordOf, textOf, type Json } from "./json.ts";

/** Who sent a message. */
export interface Author {
  type: string;
  name: string;
}

export type ToolState = "waiting" | "done" | "failed" | "skipped";

export interface ToolCall {
  kind: "tool-call";
  name: string;
  /** As the model gave them: an object, or the raw text when it was not JSON. */
  input: unknown;
  /** Null while there is no result. */
  output: unknown;
  state: ToolState;
}

/** What one row of the transcript shows. */
export type TranscriptContent =
  | { kind: "message"; text: string; author: Author | null; url: string | null }
  | { kind: "text"; text: string; model: string | null }
  /** Text that the model is writing. `isWhole`: it was heard from its beginning. */
  | { kind: "writing"; text: string; isWhole: boolean }
  | { kind: "reasoning"; text: string }
  | ToolCall
  | { kind: "note"; text: string }
  | { kind: "compaction"; summary: string | null }
  | { kind: "publish"; state: string; branch: string; commit: string; conflicts: string[] }
  | { kind: "turn-end"; failure: string | null; pullRequest: { number: number; url: string } | null }
  | { kind: "archived" };

export type TranscriptItem = TranscriptContent & { key: string; at: string };

export interface Transcript {
  /** Takes the next event in; events come once and in order. */
  add(event: JobEvent | JobDelta): void;
  /** A new list whenever something was added; rows that did not change are the same objects. */
  items(): readonly TranscriptItem[];
  /** The position of the last event. */
  position(): number;
}

/** Reads a job's events as the rows that a person sees. */
export function createTranscript(): Transcript {
  const items: TranscriptItem[] = [];
  /** Where the calls that have no result yet stand in the list. */
  const open = new Map<string, number>();
  let position = 0;
  let written = { text: "", start: 0, at: "" };

  function push(event: JobEvent, content: TranscriptContent): void {
    items.push({ ...content, key: `${event.position}.${items.length}`, at: event.createdAt });
  }

  function close(toolCallId: string, change: Pick<ToolCall, "output" | "state">): void {
    const index = open.get(toolCallId);
    const item = index === undefined ? undefined : items[index];
    if (index === undefined || item?.kind !== "tool-call") return;
    items[index] = { ...item, ...change };
    open.delete(toolCallId);
  }

  /** Calls that words or the end of a turn have overtaken are never run. */
  function skipOpenCalls(): void {
    for (const toolCallId of open.keys()) close(toolCallId, { output: null, state: "skipped" });
  }

  function addAnswer(event: JobEvent): void {
    for (const part of listOf(event.data["content"])) {
      const text = textOf(part["text"]);
      if (part["type"] === "tool-call") {
        open.set(textOf(part["toolCallId"]), items.length);
        const name = textOf(part["toolName"]);
        push(event, { kind: "tool-call", name, input: part["input"], output: null, state: "waiting" });
      } else if (text.trim() !== "") {
        if (part["type"] === "reasoning") push(event, { kind: "reasoning", text });
        else push(event, { kind: "text", text, model: textOf(event.data["model"]) || null });
      }
    }
  }

  function addEvent(event: JobEvent): void {
    const { data } = event;
    switch (event.type) {
      case "message":
        push(event, { kind: "message", text: textOf(data["prompt"]), ...senderOf(data) });
        break;
      case "prompt":
        // The message that it takes up stands in the list already.
        skipOpenCalls();
        break;
      case "note":
        skipOpenCalls();
        push(event, { kind: "note", text: textOf(data["text"]) });
        break;
      case "answer":
        skipOpenCalls();
        addAnswer(event);
        break;
      case "tool-result": {
        const output = recordOf(data["output"]);
        const state = output["type"] === "error-text" ? "failed" : "done";
        close(textOf(data["toolCallId"]), { output: output["value"], state });
        break;
      }
      case "compaction":
        push(event, { kind: "compaction", summary: data["stage"] === "summary" ? textOf(data["text"]) : null });
        break;
      case "publish":
        push(event, {
          kind: "publish",
          state: textOf(data["state"]),
          branch: textOf(data["branch"]),
          commit: textOf(data["commit"]) || textOf(data["head"]),
          conflicts: Array.isArray(data["conflicts"]) ? data["conflicts"].map(String) : [],
        });
        break;
      case "turn-end":
        skipOpenCalls();
        push(event, { kind: "turn-end", failure: failureOf(data), pullRequest: pullRequestOf(data) });
        break;
      case "status":
        if (data["status"] !== "archived") break;
        skipOpenCalls();
        push(event, { kind: "archived" });
        break;
      default:
        // A newer service may tell more than this page knows.
        break;
    }
  }

  return {
    add(event) {
      if (event.type === "delta") {
        const { offset, text } = event.data;
        const isNext = offset > 0 && offset === written.start + written.text.length;
        written = isNext
          ? { ...written, text: written.text + text }
          : { text, start: offset, at: new Date().toISOString() };
        return;
      }
      if (event.position <= position) return;
      position = event.position;
      if (event.type !== "message") written = { text: "", start: 0, at: "" };
      addEvent(event);
    },
    items() {
      if (written.text.trim() === "") return [...items];
      const { text, start, at } = written;
      return [...items, { kind: "writing", key: "writing", at, text, isWhole: start === 0 }];
    },
    position: () => position,
  };
}

function senderOf(data: Json): { author: Author | null; url: string | null } {
  const origin = recordOf(data["origin"]);
  const url = textOf(origin["url"]) || null;
  const { author } = data;
  if (isRecord(author)) return { author: { type: textOf(author["type"]), name: textOf(author["name"]) }, url };
  const name = textOf(origin["author"]);
  return { author: name === "" ? null : { type: "comment", name }, url };
}

function failureOf(data: Json): string | null {
  return textOf(data["failed"]) || null;
}

function pullRequestOf(data: Json): { number: number; url: string } | null {
  const { completed } = data;
  if (!isRecord(completed)) return null;
  return { number: Number(completed["number"]), url: textOf(completed["url"]) };
}
