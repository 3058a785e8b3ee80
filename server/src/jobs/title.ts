const CHARACTERS_MAX = 120;

/** The first line of a text that says something, in at most 120 characters (Unicode code points). */
export function jobTitle(text: string): string {
  const line = text.split(/[\n\r]/).find((each) => each.trim() !== "") ?? "";
  const characters = [...line.trim()];
  return characters.length <= CHARACTERS_MAX
    ? characters.join("")
    : `${characters.slice(0, CHARACTERS_MAX - 1).join("")}…`;
}
