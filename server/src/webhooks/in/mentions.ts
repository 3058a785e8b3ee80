/**
 * Whether a text calls one of the handles, like `@docent`, in words of its own: not in a quotation, not in code.
 * @param handles letters, digits, `_` and `-`
 */
export function mentions(text: string, handles: readonly string[]): boolean {
  const own = ownWords(text);
  return handles.some((handle) => new RegExp(`(?<![\\w@/.-])@${handle}(?![\\w-]|\\.\\w)`, "i").test(own));
}

function ownWords(text: string): string {
  const own: string[] = [];
  let fence = "";
  for (const line of text.split(/\r?\n/)) {
    const [, mark = ""] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence !== "") {
      if (mark.startsWith(fence)) fence = "";
    } else if (mark !== "") {
      fence = mark;
    } else if (!/^ {0,3}>/.test(line)) {
      own.push(line.replaceAll(/(?<!`)`+[^`]+`+/g, ""));
    }
  }
  return own.join("\n");
}
