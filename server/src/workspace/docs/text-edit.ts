/** Replaces `[start, end)` of a text, in UTF-16 code units, by `text`. */
export interface TextEdit {
  start: number;
  end: number;
  text: string;
}

/** Applies edits that do not overlap; every other character stays. Of two that do overlap the first one holds. */
export function applyEdits(source: string, edits: readonly TextEdit[]): string {
  let result = "";
  let position = 0;
  for (const edit of [...edits].sort((left, right) => left.start - right.start || left.end - right.end)) {
    if (edit.start < position) continue;
    result += source.slice(position, edit.start) + edit.text;
    position = edit.end;
  }
  return result + source.slice(position);
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** The text of a file, its byte order mark kept; undefined when it is not UTF-8. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

export function encodeText(text: string): Uint8Array {
  return encoder.encode(text);
}
