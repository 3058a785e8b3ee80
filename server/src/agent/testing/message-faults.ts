import type { ModelMessage } from "ai";

/** Why a provider would reject a history; empty when none would. */
export function messageFaults(messages: readonly ModelMessage[]): string[] {
  const faults: string[] = [];
  if (messages[0]?.role !== "user") faults.push("does not begin with the user");
  const last = messages.at(-1)?.role;
  if (last !== "user" && last !== "tool") faults.push(`ends with ${last}`);
  const ids = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const next = messages[index + 1];
    if (message.role === next?.role) faults.push(`two ${message.role} messages in a row at ${index}`);
    if (message.role === "system") faults.push(`a system message at ${index}`);
    if (message.content.length === 0) faults.push(`nothing in message ${index}`);
    if (message.role !== "assistant" || typeof message.content === "string") continue;
    const calls = message.content.filter((part) => part.type === "tool-call").map((part) => part.toolCallId);
    for (const id of calls) {
      if (ids.has(id)) faults.push(`tool call ${id} twice`);
      ids.add(id);
    }
    const results =
      next?.role === "tool"
        ? next.content.flatMap((part) => (part.type === "tool-result" ? [part.toolCallId] : []))
        : [];
    if (JSON.stringify(results) !== JSON.stringify(calls))
      faults.push(`calls [${calls.join(" ")}] have results [${results.join(" ")}]`);
  }
  return faults;
}
