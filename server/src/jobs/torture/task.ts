import type { ModelScript, ScriptedAnswer, WireMessage } from "../../agent/testing/scripted-model.ts";

/** An instruction that the scripted model carries out to the letter, so that the outcome is known byte for byte. */
export interface Task {
  /** Unique in a run. */
  id: string;
  /** What the files shall be, by path. */
  files: Record<string, string>;
  /** A link to nowhere at first, which the checks find: it is mended when Docent answers back. */
  isBrokenAtFirst?: boolean;
  /** Writes the files, then ends the job as failed. */
  givesUp?: boolean;
}

const PREFIX = "Task ";
const BROKEN_LINK = "\n[Nowhere](/no/such/page)\n";

export function taskPrompt(task: Task): string {
  return `${PREFIX}${JSON.stringify(task)}`;
}

export function readTasks(text: string): Task[] {
  const lines = text.split("\n").filter((line) => line.startsWith(PREFIX));
  return lines.map((line) => JSON.parse(line.slice(PREFIX.length)));
}

/** A page whose content nobody could mistake for another's. */
export function page(title: string, body: string): string {
  return `---\ntitle: "${title}"\n---\n\n${body}\n`;
}

/** What a conversation says about where its job is. */
export interface Conversation {
  tasks: Task[];
  /** How often the model has answered. */
  answers: number;
}

/** Decides from the conversation alone, as a model does. `beforeAnswer` may be slow, or do what a test wants done meanwhile. */
export function createTaskModel(beforeAnswer: (conversation: Conversation) => Promise<void> | void): ModelScript {
  return async ({ messages }) => {
    const { conversation, answer } = decide(messages);
    await beforeAnswer(conversation);
    return answer;
  };
}

function decide(messages: readonly WireMessage[]): { conversation: Conversation; answer: ScriptedAnswer } {
  const tasks: Task[] = [];
  const written = new Map<string, string>();
  const givenUp = new Set<string>();
  let isMending = false;
  for (const [index, message] of messages.entries()) {
    if (message.role === "user") {
      const text = message.content ?? "";
      if (text.includes("its changes were discarded")) written.clear();
      if (text.includes("these problems of your changes were found")) isMending = true;
      tasks.push(...readTasks(text));
    }
    for (const call of message.tool_calls ?? []) {
      const output = messages.slice(index).find((each) => each.tool_call_id === call.id)?.content ?? "";
      const input: Record<string, string> = JSON.parse(call.function.arguments);
      if (call.function.name === "write_file" && /^(Created|Replaced)/.test(output)) {
        written.set(input["path"] ?? "", input["content"] ?? "");
      }
      if (call.function.name === "give_up") givenUp.add(input["reason"] ?? "");
    }
  }
  const conversation = { tasks, answers: messages.filter((message) => message.role === "assistant").length };
  const text = `Answer ${conversation.answers + 1}.`;
  for (const task of tasks) {
    const suffix = task.isBrokenAtFirst === true && !isMending ? BROKEN_LINK : "";
    // A task that gave up was for its own turn; the files of that turn are gone.
    if (givenUp.has(task.id)) continue;
    const missing = Object.entries(task.files).filter(([path, content]) => {
      const later = tasks.slice(tasks.indexOf(task) + 1).some((other) => path in other.files);
      const has = written.get(path);
      return later ? has === undefined : has !== content + suffix;
    });
    if (missing.length > 0) {
      const toolCalls = missing.map(([path, content]) => ({
        name: "write_file",
        arguments: { path, content: content + suffix },
      }));
      return { conversation, answer: { text, toolCalls } };
    }
    if (task.givesUp === true) {
      return { conversation, answer: { text, toolCalls: [{ name: "give_up", arguments: { reason: task.id } }] } };
    }
  }
  const title = `Do ${tasks.map((task) => task.id).join(", ")}`;
  const finish = { name: "finish", arguments: { title, summary: "As told." } };
  return { conversation, answer: { text, toolCalls: [finish] } };
}
