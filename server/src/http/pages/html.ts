/** A piece of HTML that may stand in a page as it is. Made by `markup` and by what escapes on its own. */
export interface Html {
  readonly markup: string;
}

type Value = Html | string | number | null | undefined | false | readonly Value[];

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

function render(value: Value): string {
  if (value === null || value === undefined || value === false) return "";
  if (typeof value === "string") return escapeHtml(value);
  if (typeof value === "number") return String(value);
  return "markup" in value ? value.markup : value.map(render).join("");
}

/**
 * HTML from a template: every value is escaped, except what is HTML already. Lists are joined; nothing for null and
 * false. Not named `html`, as formatters would then wrap the templates, and white space counts in a diff.
 */
export function markup(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return { markup: strings.reduce((page, part, index) => page + render(values[index - 1]) + part) };
}
