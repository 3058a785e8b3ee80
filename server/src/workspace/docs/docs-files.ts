import type { Tree, TreeEntry } from "../tree.ts";
import type { FrameworkName } from "./framework/framework-name.ts";
import type { PageFormat } from "./page/markdown-profile.ts";
import { unreadablePage, type PageFacts } from "./page/page-facts.ts";
import type { PageFactsCache } from "./parser/page-facts-cache.ts";
import type { PageParser } from "./parser/page-parser.ts";
import { decodeText } from "./text-edit.ts";

export interface PageReading {
  framework: FrameworkName;
  format(path: string): PageFormat;
  math?: boolean;
  /** Addresses depend on these fields of the front matter; without them, on paths alone. */
  routeFields?: readonly string[];
}

/** The tree as it was listed once, with texts and page facts on demand. All paths are from the repository's root. */
export interface DocsFiles {
  docsPath: string;
  /** Regular files, sorted. */
  paths: readonly string[];
  has(path: string): boolean;
  /** True where files lie under this folder. */
  hasFolder(path: string): boolean;
  /** Undefined when there is no such file, it was left out of the mirror, or it is not UTF-8. */
  text(path: string): Promise<string | undefined>;
  readPages(paths: readonly string[], reading: PageReading): Promise<Map<string, PageFacts>>;
}

/** Pages under way at once: enough for every thread, few enough that their texts do not pile up in memory. */
const PAGES_AT_ONCE = 16;

function foldersOf(paths: readonly string[]): Set<string> {
  const folders = new Set<string>([""]);
  for (const path of paths) {
    for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1)) {
      const folder = path.slice(0, slash);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}

export function createDocsFiles(
  tree: Pick<Tree, "read">,
  entries: readonly TreeEntry[],
  docsPath: string,
  parsing: { parser: PageParser; cache: PageFactsCache; signal?: AbortSignal | undefined },
): DocsFiles {
  const files = new Map(entries.filter((entry) => entry.mode !== "160000").map((entry) => [entry.path, entry]));
  const paths = entries.filter((entry) => entry.mode.startsWith("100")).map((entry) => entry.path);
  const folders = foldersOf(paths);

  const factsOf = async (path: string, reading: PageReading): Promise<PageFacts> => {
    parsing.signal?.throwIfAborted();
    const format = reading.format(path);
    const math = reading.math === true;
    const key = `${files.get(path)?.oid ?? path} ${reading.framework} ${format} ${math}`;
    const known = parsing.cache.get(key);
    if (known !== undefined) return known;
    const content = await tree.read(path);
    if (content === undefined) return { ...unreadablePage(""), problems: [] };
    const facts = await parsing.parser.parse({ content, format, framework: reading.framework, math }, parsing.signal);
    parsing.cache.set(key, facts);
    return facts;
  };

  return {
    docsPath,
    paths,
    has: (path) => files.has(path),
    hasFolder: (path) => folders.has(path),
    async text(path) {
      const content = files.has(path) ? await tree.read(path) : undefined;
      return content === undefined ? undefined : decodeText(content);
    },
    async readPages(pagePaths, reading) {
      const facts = new Map<string, PageFacts>();
      const waiting = pagePaths.toReversed();
      const work = async (): Promise<void> => {
        for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
          facts.set(path, await factsOf(path, reading));
        }
      };
      await Promise.all(Array.from({ length: PAGES_AT_ONCE }, work));
      return facts;
    },
  };
}
