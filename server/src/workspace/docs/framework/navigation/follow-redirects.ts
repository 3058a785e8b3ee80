import type { TextEdit } from "../../text-edit.ts";
import type { RedirectList } from "./redirects.ts";

export interface RedirectMove {
  /** How the framework's redirects name the page before and after, e.g. `/a` and `/b`. */
  from: string;
  to: string;
  /** Redirects are compared in this form: a route, or a file's path. */
  normalize(written: string): string;
}

/**
 * The edits that keep old addresses leading to a moved page: destinations follow it, one away from its new address gives way,
 * and one from its old address is added, where the configuration has a list of redirects.
 */
export function followRedirects(
  list: RedirectList | undefined,
  { from, to, normalize }: RedirectMove,
): { edits: TextEdit[]; added: boolean } {
  const [oldName, newName] = [normalize(from), normalize(to)];
  if (list === undefined || oldName === newName) return { edits: [], added: false };
  const bare = (written: string): string => normalize(written.replace(/[?#].*$/s, ""));
  const hiding = list.redirects.find((redirect) => normalize(redirect.from.value) === newName);
  const edits = list.redirects
    .filter((redirect) => redirect !== hiding && bare(redirect.to.value) === oldName)
    .map((redirect) => list.retarget(redirect, `${to}${/[?#].*$/s.exec(redirect.to.value)?.[0] ?? ""}`));
  if (!list.extensible || list.redirects.some((redirect) => normalize(redirect.from.value) === oldName)) {
    return { edits, added: false };
  }
  const edit = hiding === undefined ? list.add(from, to) : { ...hiding.place, text: list.write(from, to) };
  return edit === undefined
    ? { edits, added: false }
    : { edits: [...edits, { start: edit.start, end: edit.end, text: edit.text }], added: true };
}
