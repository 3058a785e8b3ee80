import fc from "fast-check";
import { textAt, type MemoryFiles } from "../memory-tree.test-helper.ts";
import { baseName, folderOf, isPagePath } from "../paths.ts";

type Change = (files: MemoryFiles) => void;

const TEXT = /\.(?:mdx?|json|[cm]?[jt]s|ya?ml|svg)$/;
const NEW_TEXTS = [
  "[a](./missing)",
  "[b](#nowhere)",
  "## New heading",
  "[c](/guides/install)",
  "![d](/img/gone.svg)",
  "import Keys from '/snippets/keys.mdx'",
  "import Keys from './_keys.mdx'",
  "<Keys />",
  "{",
  '--8<-- "includes/tools.md"',
  "<!--@include: ../../parts/colours.md-->",
  "<include>./_shared.mdx</include>",
  "<<< @/snippets/gone.ts",
];
const FIELDS = [
  "slug: /moved",
  "slug: moved",
  "id: renamed",
  "id: a/b",
  "title: Other",
  "parse_number_prefixes: false",
];
const NAMES = ["fresh.mdx", "fresh.md", "index.mdx", "index.md", "install.md", "README.md", "_part.mdx", "errors.mdx"];

function write(files: MemoryFiles, path: string, lines: readonly string[]): void {
  files.set(path, new TextEncoder().encode(lines.join("\n")));
}

function pick<Item>(items: readonly Item[], number: number): Item | undefined {
  return items[number % items.length];
}

/** One change of a tree, drawn from its own files and lines, so that references to what is there come and go. */
function changeOf(kind: string, one: number, two: number, three: number): Change {
  return (files) => {
    const paths = [...files.keys()].sort();
    const texts = paths.filter((path) => TEXT.test(path));
    const pages = paths.filter(isPagePath);
    const path = pick(kind === "line" || kind === "number" ? texts : kind === "delete" ? paths : pages, one) ?? "";
    const lines = (textAt(files, path) ?? "").split("\n");
    const other = pick(pages, two) ?? "";
    const otherLines = (textAt(files, other) ?? "").split("\n");
    switch (kind) {
      case "delete":
        files.delete(path);
        break;
      case "move":
      case "copy": {
        const content = files.get(path);
        const folder = folderOf(other);
        const name = three % 2 === 0 ? baseName(path) : (pick(NAMES, three) ?? "");
        if (content === undefined) break;
        if (kind === "move") files.delete(path);
        files.set(folder === "" ? name : `${folder}/${name}`, content);
        break;
      }
      case "line":
        lines.splice(three % lines.length, 1);
        write(files, path, lines);
        break;
      case "borrow":
        lines.splice(three % (lines.length + 1), 0, pick(otherLines, three) ?? "");
        write(files, path, lines);
        break;
      case "text":
        lines.splice(three % (lines.length + 1), 0, "", pick(NEW_TEXTS, two) ?? "", "");
        write(files, path, lines);
        break;
      case "heading": {
        const headings = [...lines.entries()].filter(([, line]) => /^#{1,6} /.test(line));
        const [index] = pick(headings, two) ?? [];
        if (index !== undefined) lines[index] = three % 2 === 0 ? "## Renamed" : "";
        write(files, path, lines);
        break;
      }
      case "field":
        if (lines[0] === "---") lines.splice(1, 0, pick(FIELDS, two) ?? "");
        else lines.unshift("---", pick(FIELDS, two) ?? "", "---");
        write(files, path, lines);
        break;
      default:
        // A part of a configuration without its punctuation: another entry of the same list takes its place.
        for (const config of texts.filter((name) => /\.(?:json|[cm]?[jt]s|ya?ml)$/.test(name))) {
          const entries = (textAt(files, config) ?? "").split("\n");
          const strings = [...entries.entries()].filter(([, line]) => /^\s*(?:[{"']).*["'}]+,?\s*$/.test(line));
          const from = pick(strings, two);
          const to = pick(strings, three);
          if (one % texts.length !== texts.indexOf(config) || from === undefined || to === undefined) continue;
          entries[from[0]] = to[1].replace(/,?\s*$/, from[1].trimEnd().endsWith(",") ? "," : "");
          write(files, config, entries);
        }
    }
  };
}

const KINDS = ["delete", "move", "copy", "line", "borrow", "text", "heading", "field", "entry"];

/** A few changes at once; applied to a copy of the files. */
export const randomChanges = fc
  .array(fc.tuple(fc.constantFrom(...KINDS), fc.nat(10_000), fc.nat(10_000), fc.nat(10_000)), {
    minLength: 1,
    maxLength: 4,
  })
  .map((drawn) => ({
    drawn,
    apply(files: MemoryFiles): MemoryFiles {
      const result = new Map(files);
      for (const numbers of drawn) changeOf(...numbers)(result);
      return result;
    },
  }));
