import type { ModelScript, ScriptedAnswer, WireMessage } from "../../agent/testing/scripted-model.ts";

type Call = { name: string; arguments: object };

/** One answer of the model: tool calls, a whole answer, or what computes one. */
export type Step = Call[] | ScriptedAnswer | (() => Promise<Call[] | ScriptedAnswer>);

/**
 * A model that works by prompt: each of its answers is the next step under the latest prompt it knows, and its last
 * step stays its answer to whatever Docent says then.
 */
export function scriptByPrompt(steps: Record<string, Step[]>): ModelScript {
  return async ({ messages }) => {
    const { prompt, answers } = latestPrompt(messages, Object.keys(steps));
    const known = steps[prompt] ?? [];
    const step = known[Math.min(answers, known.length - 1)] ?? {};
    const answer = typeof step === "function" ? await step() : step;
    return Array.isArray(answer) ? { toolCalls: answer } : answer;
  };
}

/** The prompt that was said last, and how many answers there were since. */
function latestPrompt(messages: WireMessage[], prompts: string[]): { prompt: string; answers: number } {
  let prompt = "";
  let answers = 0;
  for (const { role, content } of messages) {
    if (role === "assistant") answers += 1;
    if (role !== "user") continue;
    const said = prompts.findLast((each) => content?.includes(each) === true);
    if (said === undefined) continue;
    prompt = said;
    answers = 0;
  }
  return { prompt, answers };
}

export const read = (path: string): Call => ({ name: "read_file", arguments: { path } });

export const write = (path: string, content: string): Call => ({ name: "write_file", arguments: { path, content } });

export const edit = (path: string, old: string, replacement: string): Call => ({
  name: "edit_file",
  arguments: { path, edits: [{ old, new: replacement }] },
});

export const finish = (title: string): Call => ({ name: "finish", arguments: { title, summary: `${title}.` } });

/** A page of MDX with a title. */
export const page = (title: string, text: string): string => `---\ntitle: ${title}\n---\n\n${text}\n`;
