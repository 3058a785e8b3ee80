import type { Tree } from "../../tree.ts";
import { createDocsFiles, type DocsFiles, type PageReading } from "../docs-files.ts";
import { findFramework } from "../find-framework.ts";
import type { Framework, LinkUse, Resolution, Site, SitePage } from "../framework/framework.ts";
import { parseLinkTarget } from "../link-target.ts";
import { unreadablePage, type PageFacts } from "../page/page-facts.ts";
import { parsing } from "../parser/parsing.ts";
import { createWeightedCache } from "../parser/weighted-cache.ts";
import { sketchPage, weighSketch, type PageSketch } from "./page-sketch.ts";
import type { RoughReference } from "./rough-references.ts";
import type { createTimeSlices } from "./time-slices.ts";

/** The tree before or after the changes, with only those pages parsed that are asked for. */
export interface Side {
  framework: Framework;
  folder: string;
  /** Resolves exactly. Its facts and anchors are right for pages that were `parse`d. */
  site: Site;
  pages: ReadonlyMap<string, SitePage>;
  /** Object ids by path, of everything in the tree. */
  oids: ReadonlyMap<string, string>;
  /** Pages with the same key have the same facts. */
  key(path: string): string;
  /** Parses pages and what they include, and theirs. Must come before `site.anchors` is asked for any of them. */
  parse(paths: Iterable<string>): Promise<void>;
  /** Everything on the page that may be a reference. */
  references(path: string): Promise<readonly RoughReference[]>;
  /** The pages that the references with the roles "import" and "snippet" may bring in. */
  included(fromPath: string, reference: Pick<RoughReference, "path" | "uses">): string[];
}

const sketches = createWeightedCache(weighSketch, 32 * 1024 * 1024);
const READS_AT_ONCE = 16;

export async function openSide(
  tree: Tree,
  options: {
    docsPath: string | undefined;
    signal: AbortSignal | undefined;
    pause: ReturnType<typeof createTimeSlices>;
  },
): Promise<Side> {
  const { signal, pause } = options;
  const entries = await tree.list();
  const oids = new Map(entries.map(({ path, oid }) => [path, oid]));
  const facts = new Map<string, PageFacts>();
  const parsed = new Set<string>();
  let reading: PageReading | undefined;

  const sketch = async (path: string): Promise<PageSketch> => {
    const fields = reading?.routeFields ?? [];
    const key = `${oids.get(path) ?? path} ${fields.join()}`;
    let known = sketches.get(key);
    if (known === undefined) {
      known = sketchPage((await tree.read(path)) ?? new Uint8Array(), fields);
      sketches.set(key, known);
    }
    await pause();
    return known;
  };

  const opened = new Map<string, DocsFiles>();
  const filesOf = (folder: string): DocsFiles => {
    const files = opened.get(folder) ?? createDocsFiles(tree, entries, folder, { ...parsing, signal });
    opened.set(folder, files);
    return files;
  };
  const sketchedFilesOf = (folder: string): DocsFiles => ({
    ...filesOf(folder),
    async readPages(paths, wanted) {
      reading = wanted;
      await pause();
      const waiting = paths.toReversed();
      for (const path of paths) facts.set(path, NOT_PARSED);
      if ((wanted.routeFields ?? []).length > 0) {
        const work = async (): Promise<void> => {
          for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
            const page = await sketch(path);
            const frontMatter =
              page.routeFields ?? (await filesOf(folder).readPages([path], wanted)).get(path)?.frontMatter;
            facts.set(path, { ...NOT_PARSED, frontMatter: frontMatter ?? {} });
          }
        };
        await Promise.all(Array.from({ length: READS_AT_ONCE }, work));
      }
      return facts;
    },
  });

  const paths = entries.map(({ path }) => path);
  const { framework, folder } = await findFramework(filesOf, paths, options.docsPath);
  await pause();
  const site = await framework.open(sketchedFilesOf(folder));
  await pause();
  const files = filesOf(folder);

  const included: Side["included"] = (fromPath, { path, uses }) => {
    const targets = uses.flatMap((use) => {
      if (use.role !== "import" && use.role !== "snippet") return [];
      // Mintlify takes a bare name from the page's folder for ids, and not for whether the file is there.
      const forms = use.role === "import" && !/^[./]/.test(path) ? [path, `./${path}`] : [path];
      return forms.flatMap((form) => pathOf(site.resolve(fromPath, form, use)) ?? []);
    });
    return targets.filter((target) => facts.has(target));
  };

  return {
    framework,
    folder,
    site,
    pages: new Map(site.pages.map((page) => [page.path, page])),
    oids,
    key: (path) => `${oids.get(path) ?? path} ${reading?.format(path)} ${reading?.math === true}`,
    async parse(wanted) {
      let round = [...new Set(wanted)].filter((path) => facts.has(path) && !parsed.has(path));
      while (round.length > 0 && reading !== undefined) {
        const next = new Set<string>();
        for (const [path, page] of await files.readPages(round, reading)) {
          facts.set(path, page);
          parsed.add(path);
          for (const { path: source, uses } of exactReferences(page)) {
            for (const target of included(path, { path: source, uses })) next.add(target);
          }
        }
        round = [...next].filter((path) => !parsed.has(path));
      }
    },
    async references(path) {
      const known = await sketch(path);
      if (known.complete || reading === undefined) return known.references;
      const page = parsed.has(path) ? facts.get(path) : (await files.readPages([path], reading)).get(path);
      return page === undefined ? [] : exactReferences(page);
    },
    included,
  };
}

/** Nothing can be wrong with a page of which nothing is known. */
const NOT_PARSED: PageFacts = { ...unreadablePage(""), problems: [] };

function exactReferences(page: PageFacts): RoughReference[] {
  return page.links.flatMap((link) => {
    const target = parseLinkTarget(link.url);
    return target === undefined ? [] : [{ path: target.path, anchor: target.anchor, uses: [link] }];
  });
}

/** The file or page that a reference leads to. */
export function pathOf(resolution: Resolution): string | undefined {
  return "path" in resolution ? resolution.path : undefined;
}

export function resolveUse(side: Side, fromPath: string, path: string, use: LinkUse): Resolution {
  return path === "" ? { type: "page", path: fromPath } : side.site.resolve(fromPath, path, use);
}
