import { Loader } from "@mantine/core";
import { IconAlertCircle, IconCheck, IconChevronRight, IconCircleMinus } from "@tabler/icons-react";
import { describeCall } from "./describe-call.ts";
import { isRecord, listOf, printJson, recordOf, textOf } from "./json.ts";
import { LongText } from "./long-text.tsx";
import { ModelText } from "./model-text.tsx";
import { useOpenRow } from "./open-rows.tsx";
import type { ToolCall } from "./transcript.ts";
import classes from "./transcript.module.css";

const STATES = {
  waiting: "not done yet",
  done: "done",
  failed: "refused",
  skipped: "did not run",
};

/** One tool call on a line, with its arguments and its result behind it. */
export function ToolCallRow({ rowKey, call }: { rowKey: string; call: ToolCall }) {
  const [isToggled, toggle] = useOpenRow(rowKey);
  // What the agent says of its work at the end is what most readers came for.
  const isOpen = isToggled !== (call.name === "finish" && call.state === "done");
  const { action, subject, outcome } = describeCall(call.name, call.input, call.output);
  return (
    <div>
      <button type="button" className={classes.call} aria-expanded={isOpen} onClick={toggle}>
        {/* Giving up is done, and is no success. */}
        <StateIcon state={call.name === "give_up" && call.state === "done" ? "skipped" : call.state} />
        <span className={classes.callText}>
          <span className={classes.action}>{action}</span>{" "}
          {subject !== "" && (
            <bdi className={classes.subject} dir="auto">
              {subject}
            </bdi>
          )}
          {outcome !== "" && <span className={classes.outcome}> · {outcome}</span>}
          <span className={classes.hidden}> ({STATES[call.state]})</span>
        </span>
        <IconChevronRight size={16} aria-hidden className={classes.chevron} data-open={isOpen || undefined} />
      </button>
      {call.state === "failed" && !isOpen && <p className={classes.refusal}>{firstLine(textOf(call.output))}</p>}
      {isOpen && (
        <div className={classes.callDetails}>
          <CallInput rowKey={rowKey} call={call} />
          <CallOutput rowKey={rowKey} call={call} />
        </div>
      )}
    </div>
  );
}

function StateIcon({ state }: { state: ToolCall["state"] }) {
  switch (state) {
    case "waiting":
      return <Loader size={16} aria-hidden />;
    case "done":
      return <IconCheck size={16} aria-hidden className={classes.good} />;
    case "failed":
      return <IconAlertCircle size={16} aria-hidden className={classes.bad} />;
    case "skipped":
      return <IconCircleMinus size={16} aria-hidden className={classes.quiet} />;
  }
}

function CallInput({ rowKey, call: { name, input } }: { rowKey: string; call: ToolCall }) {
  if (name === "finish" && isRecord(input)) return <ModelText text={textOf(input["summary"])} />;
  if (name === "give_up" && isRecord(input)) return <ModelText text={textOf(input["reason"])} />;
  if (name === "todo_write" && isRecord(input)) return <Plan todos={listOf(input["todos"])} />;
  if (isRecord(input) && Object.keys(input).length === 0) return null;
  return (
    <div>
      <div className={classes.label}>Arguments of {name}</div>
      <LongText rowKey={`${rowKey} input`} text={printJson(input)} label="The arguments" isCode />
    </div>
  );
}

function CallOutput({ rowKey, call: { name, output, state } }: { rowKey: string; call: ToolCall }) {
  if (state === "waiting") return <div className={classes.label}>There is no result yet.</div>;
  if (state === "skipped") return <div className={classes.label}>This call did not run.</div>;
  if (state === "done" && (name === "finish" || name === "give_up" || name === "todo_write")) return null;
  const { problems } = recordOf(output);
  return (
    <div>
      <div className={classes.label}>{state === "failed" ? "Refusal" : "Result"}</div>
      {name === "check_docs" && Array.isArray(problems) ? (
        <Problems problems={listOf(problems)} total={recordOf(output)["total"]} />
      ) : (
        <LongText rowKey={`${rowKey} output`} text={printJson(output)} label="The result" isCode />
      )}
    </div>
  );
}

function Plan({ todos }: { todos: Record<string, unknown>[] }) {
  return (
    <ul className={classes.list}>
      {todos.map((todo) => (
        <li key={textOf(todo["content"])} dir="auto">
          {todo["status"] === "completed" ? "☑" : todo["status"] === "in_progress" ? "▸" : "☐"}{" "}
          {textOf(todo["content"])}
        </li>
      ))}
    </ul>
  );
}

const PROBLEMS_MAX = 50;

function Problems({ problems, total }: { problems: Record<string, unknown>[]; total: unknown }) {
  if (problems.length === 0) return <p className={classes.quietText}>No problems were found.</p>;
  const shown = problems.slice(0, PROBLEMS_MAX);
  const rest = (typeof total === "number" ? total : problems.length) - shown.length;
  return (
    <ul className={classes.list}>
      {shown.map((problem, index) => (
        // Two problems may read the same.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index}>
          <span className="docent-mono">
            {textOf(problem["path"])}
            {typeof problem["line"] === "number" && `:${problem["line"]}`}
          </span>{" "}
          {textOf(problem["message"])}
        </li>
      ))}
      {rest > 0 && <li>… and {rest} more</li>}
    </ul>
  );
}

function firstLine(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}
