const CHARACTERS_MAX = 160;
const IPV4 = /\b\d{1,3}(?:\.\d{1,3}){3}\b/g;
/** Eight groups, or fewer with `::` among them; the times of day in logs are neither. */
const IPV6 = /(?<![\w:])(?:(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}|(?=[0-9a-f:]*::)[0-9a-f:]{2,39})(?![\w:])/gi;
const QUERY = /\?[^\s"]+/g;

/** A line as an example for people: shortened, without control characters, addresses and what was in queries. */
export function maskLine(line: string): string {
  const masked = line
    .replaceAll(/\p{Cc}/gu, "�")
    .replaceAll(IPV4, "x.x.x.x")
    .replaceAll(IPV6, "x::x")
    .replaceAll(QUERY, "?…");
  const characters = [...masked];
  return characters.length <= CHARACTERS_MAX ? masked : `${characters.slice(0, CHARACTERS_MAX - 1).join("")}…`;
}
