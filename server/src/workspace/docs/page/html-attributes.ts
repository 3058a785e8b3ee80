export interface HtmlAttribute {
  element: string;
  name: string;
  /** As written, without its quotes. */
  value: string;
  /** Offset of the value's first character inside the HTML. */
  start: number;
}

const COMMENT_TAG_OR_RAW =
  /<!--[\s\S]*?(?:-->|$)|<(script|style|pre|textarea)\b[\s\S]*?(?:<\/\1\s*>|$)|<([A-Za-z][\w.:-]*)((?:"[^"]*"|'[^']*'|[^"'<>])*)>/gi;
const ATTRIBUTE = /([A-Za-z_:][\w.:-]*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+))/g;

/** The attributes of every element in a piece of raw HTML; comments and scripts are passed over. */
export function htmlAttributes(html: string): HtmlAttribute[] {
  const found: HtmlAttribute[] = [];
  for (const tag of html.matchAll(COMMENT_TAG_OR_RAW)) {
    const [, , element, attributes] = tag;
    if (element === undefined || attributes === undefined) continue;
    const attributesStart = tag.index + 1 + element.length;
    for (const attribute of attributes.matchAll(ATTRIBUTE)) {
      const value = attribute[2] ?? attribute[3] ?? attribute[4] ?? "";
      const quoted = attribute[4] === undefined;
      const start = attributesStart + attribute.index + attribute[0].length - value.length - (quoted ? 1 : 0);
      found.push({ element: element.toLowerCase(), name: (attribute[1] ?? "").toLowerCase(), value, start });
    }
  }
  return found;
}
