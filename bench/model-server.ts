/**
 * A process of its own: an instant model behind the OpenAI wire format. Every job takes two steps, by the order in its
 * prompt: read and edit a page, then finish. Tells its parent of each request, by the clock that all processes share.
 */
import {
  createScriptedModel,
  type ScriptedAnswer,
  type WireMessage,
} from "../server/src/agent/testing/scripted-model.ts";
import type { ModelNews, ModelOrder } from "./model.ts";
import { readOrder, type Order } from "./order.ts";

const held: (() => void)[] = [];

const model = await createScriptedModel(async ({ messages }) => {
  const arrivedNs = process.hrtime.bigint();
  // The requests of a whole run would fill the memory of the machine that is being measured.
  model.requests.length = 0;
  const order = readOrder(messages.find(({ role }) => role === "user")?.content ?? "");
  const step = messages.filter(({ role }) => role === "assistant").length;
  tell({ type: "request", id: order.id, step, arrivedNs: String(arrivedNs) });
  if (order.hold === true) await new Promise<void>((resolve) => held.push(resolve));
  return step === 0 ? edit(order) : finish(order, messages);
});

process.on("message", (message: ModelOrder) => {
  if (message.type === "release") for (const answer of held.splice(0)) answer();
});
process.on("disconnect", () => process.exit(0));
tell({ type: "ready", url: model.url });

function edit({ id, edit: { path, before, after } }: Order): ScriptedAnswer {
  return {
    toolCalls: [
      { id: `${id}-read`, name: "read_file", arguments: { path } },
      { id: `${id}-edit`, name: "edit_file", arguments: { path, edits: [{ old: before, new: after }] } },
    ],
  };
}

function finish({ id, edit: { path } }: Order, messages: WireMessage[]): ScriptedAnswer {
  // The parent asks that every job took two steps, so a tool call that failed or a note of problems shows there.
  const step = messages.filter(({ role }) => role === "assistant").length;
  return {
    toolCalls: [
      { id: `${id}-finish-${step}`, name: "finish", arguments: { title: `Revise ${path}`, summary: `Order ${id}.` } },
    ],
  };
}

function tell(news: ModelNews): void {
  process.send?.(news);
}
