import { globSync } from "node:fs";
import { join } from "node:path";

const docs = join(import.meta.dirname, "../../examples/docs");

/** The paths of the sample's pages, the start page first. */
export const PAGES: readonly string[] = globSync("**/*.mdx", {
  cwd: docs,
  exclude: (name) => name.endsWith("snippets"),
})
  .map((file) => `/${file.replaceAll("\\", "/").replace(/\.mdx$/, "")}`.replace(/\/index$/, "/"))
  .toSorted((a, b) => (a < b ? -1 : 1));

/** Where people begin, and what many read. Pages that are not here have a weight of 2. */
const WEIGHTS: Readonly<Record<string, number>> = {
  "/": 24,
  "/quickstart": 20,
  "/installation": 12,
  "/sdks/node": 11,
  "/sdks/react": 9,
  "/sdks/python": 8,
  "/concepts/flags": 7,
  "/concepts/rollouts": 6,
  "/concepts/targeting": 6,
  "/guides/first-release": 6,
  "/api/evaluate": 6,
  "/api/authentication": 5,
  "/api/flags": 5,
  "/operations/configuration": 4,
  "/changelog": 4,
};

export const WEIGHTED_PAGES = PAGES.map((page) => [page, WEIGHTS[page] ?? 2] as const);

/** What readers look for and the documentation does not have. */
export const MISSING_OF_PEOPLE: readonly string[] = [
  "/guides/single-sign-on",
  "/sdks/java",
  "/tutorials/first-release",
];
export const MISSING_OF_AGENTS: readonly string[] = [
  "/sdks/java",
  "/sdks/ruby",
  "/guides/single-sign-on",
  "/api/v2/flags",
  "/docs/quickstart",
  "/sdks/terraform",
];

/** As in the navigation's `redirects`. */
export const REDIRECTS: readonly (readonly [from: string, to: string])[] = [
  ["/getting-started", "/quickstart"],
  ["/guides/gradual-rollout", "/guides/first-release"],
  ["/concepts/segments", "/concepts/targeting"],
];

export const STYLES_AND_SCRIPTS: readonly (readonly [path: string, bytes: number])[] = [
  ["/assets/docs-4f1c9a.css", 18_240],
  ["/assets/docs-91be07.js", 84_112],
  ["/assets/search-0aa3d2.js", 31_877],
  ["/assets/inter-latin.woff2", 48_256],
  ["/images/favicon.svg", 1_103],
];

export const IMAGES: Readonly<Record<string, string>> = {
  "/concepts/rollouts": "/images/rollout.svg",
  "/concepts/targeting": "/images/targeting.svg",
  "/operations/architecture": "/images/architecture.svg",
};

export const ORIGIN = "https://docs.lantern.example";

export const REFERRERS: readonly (readonly [referrer: string, weight: number])[] = [
  ["-", 40],
  ["https://www.google.com/", 30],
  ["https://github.com/", 12],
  ["https://lantern.example/", 10],
  ["https://duckduckgo.com/", 4],
  ["https://chatgpt.com/", 6],
  ["https://news.ycombinator.com/", 2],
];

/** The bytes of a page's HTML: always the same for the same page. */
export function pageBytes(path: string): number {
  let sum = 7;
  for (const character of path) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 30_011;
  return 9_000 + sum;
}
