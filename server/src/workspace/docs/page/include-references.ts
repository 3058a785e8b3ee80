/** A file that a page includes, at the characters of its name. */
export interface IncludeReference {
  url: string;
  start: number;
  end: number;
}

function named(source: string, from: number, url: string): IncludeReference {
  const start = source.indexOf(url, from);
  return { url, start, end: start + url.length };
}

/** VitePress: `<<< @/snippets/a.js#region{2,3 js} [title]` brings in the code of a file. */
function codeSnippets(source: string): IncludeReference[] {
  return [...source.matchAll(/^[ \t>]{0,12}<<<[ \t]*(\S[^\r\n]*)$/gm)].flatMap((match) => {
    const path = (match[1] ?? "")
      .replace(/[ \t]*\[[^\]]*\][ \t]*$/, "")
      .replace(/[ \t]*\{[^{}]*\}[ \t]*$/, "")
      .replace(/#[\w.-]+$/, "")
      .trim();
    return path === "" ? [] : [named(source, match.index + match[0].indexOf("<<<") + 3, path)];
  });
}

/** VitePress: `<!-- @include: ./part.md#region{1,5} -->` brings in a page. */
function pageIncludes(source: string): IncludeReference[] {
  return [...source.matchAll(/<!--[ \t]*@include:[ \t]*([^\r\n]*?)[ \t]*-->/g)].flatMap((match) => {
    const path = (match[1] ?? "")
      .replace(/[ \t]*\{[^{}]*\}$/, "")
      .replace(/#[^/#]+$/, "")
      .trim();
    return path === "" ? [] : [named(source, match.index + match[0].indexOf("@include:") + 9, path)];
  });
}

/** Longer lines name no file, and patterns take time by their square. */
const LINE_MAX = 2000;

/** The lines of a source that stand in no fenced code, with their offsets. */
function* linesOutsideCode(source: string): Generator<{ line: string; start: number }> {
  let fence: string | undefined;
  let start = 0;
  for (const line of source.split("\n")) {
    const marks = /^[ \t>]*(?:[-*+][ \t]+)?(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined && marks !== undefined) fence = marks;
    else if (fence === undefined && line.length <= LINE_MAX) yield { line, start };
    else if (fence !== undefined && marks?.startsWith(fence) === true && line.trim() === marks) fence = undefined;
    start += line.length + 1;
  }
}

/** What VitePress includes by name; what stands in fenced code is shown as it is. */
export function vitepressIncludes(source: string): IncludeReference[] {
  if (!source.includes("<<<") && !source.includes("@include:")) return [];
  const found: IncludeReference[] = [];
  for (const { line, start } of linesOutsideCode(source)) {
    for (const include of [...codeSnippets(line), ...pageIncludes(line.replaceAll(/`[^`]*`/g, blank))]) {
      found.push({ url: include.url, start: include.start + start, end: include.end + start });
    }
  }
  return found;
}

function blank(text: string): string {
  return " ".repeat(text.length);
}

/** What PyMdown's snippets bring in: `--8<-- "a.md:section"`, alone on its line or as a block of names. */
export function snippetIncludes(source: string): IncludeReference[] {
  if (!source.includes("8<")) return [];
  const found: IncludeReference[] = [];
  let inBlock = false;
  let start = 0;
  const note = (line: string, name: string, from: number): void => {
    const path = name.replace(/(?::[\w-]*)+$/, "").trim();
    if (path !== "" && !/^https?:/.test(path))
      found.push(named(source, start + Math.max(0, line.indexOf(name, from)), path));
  };
  for (const line of source.split("\n")) {
    const single = line.length > LINE_MAX ? null : /^[ \t]*-{1,}8<-{1,}[ \t]+(["'])(.*?)\1[ \t]*\r?$/.exec(line);
    if (single !== null) note(line, single[2] ?? "", line.indexOf("8<"));
    else if (/^[ \t]*-{1,}8<-{1,}[ \t]*\r?$/.test(line)) inBlock = !inBlock;
    else if (inBlock && line.trim() !== "" && !line.trim().startsWith(";")) note(line, line.trim(), 0);
    start += line.length + 1;
  }
  return found;
}

/** Fumadocs: `<include>./part.mdx#section</include>`; `lang` and `cwd` may stand in the tag. */
export function elementIncludes(source: string): IncludeReference[] {
  if (!source.includes("<include")) return [];
  const found: IncludeReference[] = [];
  for (const { line, start } of linesOutsideCode(source)) {
    const plain = line.replaceAll(/`[^`]*`/g, blank);
    for (const match of plain.matchAll(/<include\b(?![^>]*\bcwd\b)[^>]*>[ \t]*([^<\s][^<\r\n]*?)[ \t]*<\/include>/g)) {
      const path = (match[1] ?? "").replace(/#[^/#]+$/, "");
      const include = named(plain, match.index + match[0].indexOf(">") + 1, path);
      if (path !== "") found.push({ url: path, start: include.start + start, end: include.end + start });
    }
  }
  return found;
}

/** In whatever syntax: every name that one of the readers above may find. */
export function includeReferences(source: string): IncludeReference[] {
  return [...vitepressIncludes(source), ...snippetIncludes(source), ...elementIncludes(source)];
}
