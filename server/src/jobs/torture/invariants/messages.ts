import type { Expectation } from "../expectation.ts";
import { readTasks } from "../task.ts";
import type { JobRecord } from "./record.ts";

/** Every acknowledged message is stored once, taken once, in order, and answered after it was taken. */
export function checkMessages({ job, messages, events }: JobRecord, expectation: Expectation): string[] {
  const found: string[] = [];
  const expect = (holds: boolean, sentence: string): void => void (holds || found.push(sentence));
  const sent = expectation.tasks.map((task) => task.id);
  const stored = messages.map((message) => readTasks(message.prompt)[0]?.id ?? message.prompt);
  expect(sent.join() === stored.join(), `Sent were ${sent.join()}, stored are ${stored.join()}.`);

  const announced = events.filter((event) => event.type === "message").map((event) => event.data["id"]);
  expect(
    announced.join() === messages.map((message) => message.id).join(),
    "The messages and their events are not the same.",
  );
  const prompts = events.filter((event) => event.type === "prompt");
  const taken = prompts.map((event) => event.data["messageId"]);
  const read = messages.filter((message) => message.read_at_position !== null).map((message) => message.id);
  expect(taken.join() === read.join(), "The messages taken and the prompts of the transcript are not the same.");
  if (job.status === "archived") return found;
  expect(read.length === messages.length, `${messages.length - read.length} messages are unread.`);
  for (const { position, data } of prompts) {
    const isAnswered = events.some((event) => event.type === "answer" && event.position > position);
    expect(isAnswered || job.status === "failed", `Nothing answers ${String(data["text"]).slice(0, 80)}.`);
  }
  return found;
}
