import type { ToolOutput } from "../../transcript.ts";
import type { FixableProblem } from "./link-edits.ts";
import type { PlannedCall } from "./task.ts";

/** How an address stands on its line: by these marks it is told from the same words in running text. */
const MARKS: readonly (readonly [before: string, after: string])[] = [
  ["](", ")"],
  ['="', '"'],
  ["='", "'"],
  ["](", " "],
];

/**
 * Repairs addresses on lines too long to be read whole, as generated pages have them: the line is edited by the address
 * and the marks around it. Answers the problems that were repaired.
 */
export function* repairLongLines(
  problems: readonly FixableProblem[],
): Generator<PlannedCall[], FixableProblem[], ToolOutput[]> {
  const repaired: FixableProblem[] = [];
  const groups = Map.groupBy(problems, ({ path, line, target }) => JSON.stringify([path, line, target]));
  let waiting = [...groups.values()];
  for (const [before, after] of MARKS) {
    if (waiting.length === 0) break;
    const outputs = yield waiting.flatMap(([first]) => (first === undefined ? [] : [editCall(first, before, after)]));
    repaired.push(...waiting.filter((_, index) => !isError(outputs[index])).flat());
    waiting = waiting.filter((_, index) => isError(outputs[index]));
  }
  return repaired;
}

function editCall({ path, line, target, suggestion }: FixableProblem, before: string, after: string): PlannedCall {
  const edit = { line, old: before + target + after, new: before + suggestion + after, all: true };
  return { toolName: "edit_file", input: { path, edits: [edit] } };
}

function isError(output: ToolOutput | undefined): boolean {
  return output === undefined || output.type === "error-text";
}
