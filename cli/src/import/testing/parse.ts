import type { LineKind, LogFormat, LoggedRequest } from "../formats/format.ts";
import { readBlock } from "../read-lines.ts";

/** What each line of a log is, and its requests with their texts decoded. */
export function parseLines(
  format: LogFormat,
  lines: readonly string[],
): { kinds: LineKind[]; requests: LoggedRequest[] } {
  const parser = format.createParser();
  const requests: LoggedRequest[] = [];
  const kinds = lines.map((line) => {
    // In the middle of a block, as lines are.
    const block = readBlock(Buffer.from(`before\n${line}\nafter`));
    return parser.parse(block, 7, 7 + Buffer.byteLength(line), (request) => {
      const { target, userAgent, referrer } = request;
      requests.push({
        ...request,
        target: format.decode(target),
        userAgent: format.decode(userAgent),
        referrer: format.decode(referrer),
      });
    });
  });
  return { kinds, requests };
}
