import type { Doubt, Instruction } from "./instruction.ts";
import { isQuoted, readValue } from "./places.ts";
import { QUOTED } from "./quotes.ts";

const NOUN = "(?:documentation |docs |doc |markdown |mdx )?(?:page|document|doc|article|guide|tutorial|file)";
const PATH = String.raw`(?:${QUOTED}|[\w@./+~*{}-]*[\w/*}])`;
const FOLLOW_UPS = String.raw`(?:,? (?:and|with) .*\b(?:links?|redirects?|references|navigation)\b.*)?`;
const MOVE = new RegExp(
  `^(?:(move|relocate) (?:the )?(?:${NOUN} |image )?|(rename) (?:the )?(?:${NOUN} |image ))(?:at |from )?(${PATH}) (to|into|→|->|=>) (?:the )?(?:(folder|directory) )?(${PATH})( folder| directory)?${FOLLOW_UPS}$`,
  "i",
);
const RENAME_FILE = new RegExp(`^rename (${PATH}\\.mdx?) to (${PATH}\\.mdx?)${FOLLOW_UPS}$`, "i");

/** Reads `move guides/a to guides/b`, `rename the page a to b`, `move guides/a into advanced/`. */
export function readMove(text: string, values: readonly string[]): Instruction | Doubt | undefined {
  const file = RENAME_FILE.exec(text);
  if (file !== null) return move(file[1] ?? "", file[2] ?? "", false, values);
  const match = MOVE.exec(text);
  if (match === null) return undefined;
  const isFolder = /^into$/i.test(match[4] ?? "") || match[5] !== undefined || match[7] !== undefined;
  return move(match[3] ?? "", match[6] ?? "", isFolder, values);
}

function move(fromText: string, toText: string, isFolder: boolean, values: readonly string[]): Instruction | Doubt {
  const from = readValue(fromText, values).trim();
  const to = readValue(toText, values).trim();
  if (/[*{}]/.test(from + to)) return { doubt: "only one page can be moved at a time" };
  if (from.endsWith("/")) return { doubt: `${from} is a folder, and only one page can be moved at a time` };
  if (from === "" || to === "") return { doubt: "a path is empty" };
  if (/\s/.test(from + to)) return { doubt: "a path holds white space" };
  return { type: "move", from, to: isFolder && !to.endsWith("/") ? `${to}/` : to };
}

const ADD = new RegExp(`^(?:add|create|write|make) (?:a |an |the |one )?(?:new )?${NOUN}\\b(.*)$`, "i");

type Attribute = "path" | "title" | "group" | "after" | "text" | "name";

/** One attribute of a new page each, at the start of what remains. The order does not matter to the user. */
const ATTRIBUTES: readonly { pattern: RegExp; attribute: Attribute }[] = [
  attribute(
    "text",
    `(?:with|containing|and|using|that (?:says|reads|contains))?(?: ?(?:the|this|following|its))* ?(?:(?:text|contents?|body)(?: is)?|that (?:says|reads)|saying):? (${QUOTED})`,
  ),
  attribute(
    "title",
    `(?:titled|entitled|with (?:the |a )?title(?: of)?|whose title is|and (?:the )?title|title:?) (${QUOTED})`,
  ),
  attribute(
    "title",
    String.raw`(?:titled|entitled|with (?:the |a )?title(?: of)?) ((?!${QUOTED})[^,;]+?)(?=,? (?:in|under|after|with|containing|and|at) |,|$)`,
  ),
  attribute(
    "group",
    `(?:in|into|under|to|at the end of)(?: the)?(?: navigation| nav| sidebar)? (?:group|section|category)(?: called| named)? (${QUOTED}|[\\w-]+)(?: (?:of|in) the (?:navigation|sidebar))?`,
  ),
  attribute(
    "group",
    `(?:in|into|under|to|at the end of)(?: the)? (${QUOTED}) (?:group|section|category)(?: (?:of|in) the (?:navigation|sidebar))?`,
  ),
  attribute("group", `under (${QUOTED})`),
  attribute(
    "after",
    `(?:and )?(?:place it |put it |placed )?(?:right |directly |just |immediately )?(?:after|behind|following|below)(?: the)?(?: page| entry)? (${PATH})(?: in the (?:navigation|sidebar))?`,
  ),
  attribute("name", `(?:called|named) (${QUOTED}|${PATH})`),
  attribute("path", `(?:at|as|under the path|with the path)(?: the)?(?: path)? (${PATH})`),
  attribute("path", `(${PATH})`),
];

function attribute(name: Attribute, source: string): { pattern: RegExp; attribute: Attribute } {
  return { pattern: new RegExp(`^(?:${source})(?=$|[\\s,.])`, "i"), attribute: name };
}

/** Reads `add a page guides/x titled "T" in group "G" with the text: …`. */
export function readAddPage(text: string, values: readonly string[]): Instruction | Doubt | undefined {
  const match = ADD.exec(text);
  if (match === null) return undefined;
  const found: Partial<Record<Attribute, string>> = {};
  let rest = (match[1] ?? "").trim();
  while ((rest = rest.replace(/^(?:[\s,.]+|and (?=in |at |after |under |place |put |with ))+/i, "")) !== "") {
    const next = ATTRIBUTES.map((each) => ({ ...each, match: each.pattern.exec(rest) })).find(
      (each) => each.match !== null && !(each.attribute === "path" && found.path !== undefined),
    );
    if (next?.match === undefined || next.match === null) return undefined;
    const value = next.match[1] ?? "";
    const name = next.attribute === "name" ? (isPathName(value, values) ? "path" : "title") : next.attribute;
    if (found[name] !== undefined) return { doubt: `the ${name} is given twice` };
    found[name] = readValue(value, values).trim();
    rest = rest.slice(next.match[0].length);
  }
  return newPage(found);
}

function isPathName(value: string, values: readonly string[]): boolean {
  const name = readValue(value, values);
  return !isQuoted(value) || (/[/]|\.mdx?$/.test(name) && !/\s/.test(name));
}

function newPage(found: Partial<Record<Attribute, string>>): Instruction | Doubt {
  const { path = "", title = "", text = "", group, after } = found;
  if (path === "" || /\s/.test(path) || path.endsWith("/"))
    return { doubt: "the new page needs a path, such as guides/install" };
  if (title === "") return { doubt: 'the new page needs a title: say titled "…"' };
  if (text === "") return { doubt: "the new page needs a text: say with the text: …" };
  if (group !== undefined && after !== undefined)
    return { doubt: "say either a group or the page before it, not both" };
  return {
    type: "add-page",
    path,
    title,
    text,
    ...(group === undefined ? {} : { group }),
    ...(after === undefined ? {} : { after }),
  };
}
