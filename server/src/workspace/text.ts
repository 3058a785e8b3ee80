import type { Refusal } from "./refusal.ts";

export type Eol = "\n" | "\r\n";

export interface DecodedText {
  /** The text without the byte order mark, line ends as they are in the file. */
  text: string;
  bom: boolean;
  /** The line end that most lines have; `"\n"` for a text of one line. */
  eol: Eol;
}

const BOM = [0xef, 0xbb, 0xbf] as const;

/** Reads a file as UTF-8 text. Refuses binary content, other encodings and Git LFS pointers, each with its reason. */
export function decodeText(bytes: Uint8Array): DecodedText | Refusal {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    return {
      refused: "The file is UTF-16, not UTF-8. Only UTF-8 text can be edited; a person has to convert it first.",
    };
  }
  if (bytes.includes(0)) return { refused: "The file is binary (it holds NUL bytes). Only UTF-8 text can be edited." };
  if (isLfsPointer(bytes)) {
    return { refused: "The file is a Git LFS pointer: its real content is kept elsewhere. It cannot be edited here." };
  }
  const bom = BOM.every((byte, index) => bytes[index] === byte);
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bom ? bytes.subarray(3) : bytes);
    return { text, bom, eol: majorityEol(text) };
  } catch {
    return { refused: "The file is not valid UTF-8. Only UTF-8 text can be edited; a person has to convert it first." };
  }
}

export function encodeText(text: string, bom: boolean): Uint8Array {
  return new TextEncoder().encode(bom ? `\uFEFF${text}` : text);
}

/** The line end that most lines of a text have; LF when it has none, or as many of each. */
export function majorityEol(text: string): Eol {
  let crlf = 0;
  let all = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
    all += 1;
    if (text[at - 1] === "\r") crlf += 1;
  }
  return crlf > all - crlf ? "\r\n" : "\n";
}

/** Whether a file is a Git LFS pointer. Format: the Git LFS specification, docs/spec.md. */
export function isLfsPointer(bytes: Uint8Array): boolean {
  if (bytes.length > 1024) return false;
  const text = new TextDecoder().decode(bytes);
  return /^version https:\/\/git-lfs\.github\.com\/spec\/v1\r?\n/.test(text) && /^oid sha256:/m.test(text);
}
