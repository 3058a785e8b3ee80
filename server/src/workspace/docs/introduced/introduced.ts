import type { Tree } from "../../tree.ts";
import { byPlace, checkPage } from "../check-links.ts";
import { openDocs } from "../docs.ts";
import { withoutOuterSlashes } from "../find-framework.ts";
import type { SitePage } from "../framework/framework.ts";
import { parseLinkTarget } from "../link-target.ts";
import type { LinkFact } from "../page/page-facts.ts";
import type { Problem } from "../problem.ts";
import { changesOfAnchors } from "./anchor-changes.ts";
import { newProblems, withoutSuggestion } from "./compare-problems.ts";
import { openSide, resolveUse, type Side } from "./side.ts";
import { findIncluders, findSuspects, type Sides } from "./suspects.ts";
import { createTimeSlices } from "./time-slices.ts";

export interface Changes {
  before: Tree;
  after: Tree;
  docsPath?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Pages asked at a time whether they include another; the first that does is enough. */
const INCLUDERS_AT_ONCE = 8;

interface ResolvedLink {
  link: LinkFact;
  anchor: string | null;
  resolution: ReturnType<typeof resolveUse>;
}

function* resolvedLinks(side: Side, path: string): Generator<ResolvedLink> {
  for (const link of side.site.facts.get(path)?.links ?? []) {
    const target = parseLinkTarget(link.url);
    if (target === undefined) continue;
    yield { link, anchor: target.anchor, resolution: resolveUse(side, path, target.path, link) };
  }
}

/** The pages whose ids the links of these pages name. */
function namedPages(side: Side, paths: Iterable<string>): Set<string> {
  const named = new Set<string>();
  for (const path of paths) {
    for (const { link, anchor, resolution } of resolvedLinks(side, path)) {
      if (link.role === "link" && anchor !== null && resolution.type === "page") named.add(resolution.path);
    }
  }
  return named;
}

function includedPages(side: Side, path: string): Set<string> {
  const links = side.site.facts.get(path)?.links ?? [];
  return new Set(
    links.flatMap((link) => {
      const target = parseLinkTarget(link.url);
      return target === undefined ? [] : side.included(path, { path: target.path, uses: [link] });
    }),
  );
}

/** Links of the page to places on itself that are not there: right where another page with these places includes it. */
function missesOwnAnchors(side: Side, page: SitePage): boolean {
  return checkPage(side.site, page).some(({ kind }) => kind === "anchor");
}

function createPartials(sides: Sides): (side: Side, page: SitePage) => Promise<boolean> {
  let includers: ReturnType<typeof findIncluders> | undefined;
  return async (side, page) => {
    if (side.framework.name !== "mintlify" || page.partial) return page.partial;
    includers ??= findIncluders(sides);
    const candidates = [...((await includers).get(page.path) ?? [])].filter((path) => side.pages.has(path));
    for (let start = 0; start < candidates.length; start += INCLUDERS_AT_ONCE) {
      const some = candidates.slice(start, start + INCLUDERS_AT_ONCE);
      await side.parse(some);
      if (some.some((path) => includedPages(side, path).has(page.path))) return true;
    }
    return false;
  };
}

async function problemsOf(
  side: Side,
  paths: ReadonlySet<string>,
  isPartial: ReturnType<typeof createPartials>,
  pause: Sides["pause"],
): Promise<Problem[]> {
  const problems = side.site.configurationProblems();
  await pause();
  for (const path of paths) {
    await pause();
    const page = side.pages.get(path);
    if (page === undefined) continue;
    const partial = missesOwnAnchors(side, page) ? await isPartial(side, page) : page.partial;
    problems.push(...checkPage(side.site, { ...page, partial }));
  }
  return problems.map(withoutSuggestion).sort(byPlace);
}

async function compareInFull({ before, after, docsPath, signal }: Changes): Promise<Problem[]> {
  const options = docsPath === undefined ? {} : { docsPath };
  const [old, current] = [await openDocs(before, options), await openDocs(after, options)];
  return newProblems(await old.check(signal), await current.check(signal)).map(withoutSuggestion);
}

/** The same file at the same address on both sides. */
function staysInPlace(path: string, before: Side, after: Side): boolean {
  const [old, current] = [before.pages.get(path), after.pages.get(path)];
  if (old === undefined || current === undefined)
    return old === current && before.oids.get(path) === after.oids.get(path);
  return old.route === current.route && old.collection === current.collection;
}

/**
 * The problems that the changes brought: what comparing full checks of both trees comes to, without suggestions. Only the
 * changed pages and those that their changes may concern are parsed; of the others it is looked up where their
 * references lead.
 * @throws the signal's reason
 */
export async function findIntroducedProblems(changes: Changes): Promise<Problem[]> {
  const { signal } = changes;
  const pause = createTimeSlices(signal);
  const options = { docsPath: withoutOuterSlashes(changes.docsPath), signal, pause };
  const before = await openSide(changes.before, options);
  const after = await openSide(changes.after, options);
  if (before.framework !== after.framework || before.folder !== after.folder) return compareInFull(changes);
  const sides: Sides = { before, after, pause };

  const paths = [...before.oids, ...after.oids].map(([path]) => path);
  const moved = [...new Set(paths)].some((path) => !staysInPlace(path, before, after));
  await pause();
  const all = [...new Set([...before.pages.keys(), ...after.pages.keys()])];
  const isChanged = (path: string): boolean =>
    before.pages.get(path)?.partial !== after.pages.get(path)?.partial || before.key(path) !== after.key(path);
  const changed = new Set(all.filter(isChanged));
  await Promise.all([before.parse(changed), after.parse(changed)]);

  const unchanged = all.filter((path) => !changed.has(path));
  const suspects = await findSuspects(sides, unchanged, changesOfAnchors(changed, before, after), moved);
  // Whether other pages include a page decides what its own anchors may be.
  const included = [...changed].flatMap((path) => [
    ...includedPages(before, path).symmetricDifference(includedPages(after, path)),
  ]);
  const checked = changed.union(suspects).union(new Set(included));
  for (const side of [before, after]) {
    await side.parse(checked);
    await side.parse(namedPages(side, checked));
    // Whether that is a problem hangs on what the whole site holds.
    for (const path of checked) {
      for (const { resolution } of resolvedLinks(side, path)) {
        if (resolution.type === "missing" && resolution.mayBeRewritten === true) return compareInFull(changes);
      }
      await pause();
    }
  }
  const isPartial = createPartials(sides);
  return newProblems(
    await problemsOf(before, checked, isPartial, pause),
    await problemsOf(after, checked, isPartial, pause),
  );
}
