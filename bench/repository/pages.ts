import type { PageEdit } from "../order.ts";

/** The term on every page, for the instruction that replaces it everywhere. */
export const TERM = "Acme Console";

const GUIDES = 20;
const REFERENCES = 30;
const PAGES_PER_SECTION = 100;
export const PAGES = (GUIDES + REFERENCES) * PAGES_PER_SECTION;
/** Pages under `guides/`; the others are under `reference/`. */
export const GUIDE_PAGES = GUIDES * PAGES_PER_SECTION;
const HEADINGS = ["Overview", "Before you begin", "Configure it", "Run it", "Limits", "Troubleshooting"];
const WORDS =
  "the service keeps each request until its worker has answered and a retry never runs twice because every answer is stored before it is sent so that a client which lost its connection can ask again later without harm".split(
    " ",
  );

/** Numbers in [0, 1) that are the same on every machine: the mulberry32 generator. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A page's address without its extension, as links and the navigation name it. */
function pageName(index: number): string {
  const section = Math.floor(index / PAGES_PER_SECTION);
  const folder = section < GUIDES ? "guides" : "reference";
  return `${folder}/section-${section + 1}/page-${(index % PAGES_PER_SECTION) + 1}`;
}

export function pagePath(index: number): string {
  return `${pageName(index)}.mdx`;
}

const reviewed = (index: number): string => `Page ${index + 1} was last reviewed in spring.`;

export function pageEdit(index: number): PageEdit {
  return { path: pagePath(index), before: reviewed(index), after: `Page ${index + 1} was last reviewed in autumn.` };
}

/** About 8 kB of MDX: front matter, prose, components, a table, code, twelve links to other pages and their headings, an image. */
export function pageText(index: number, random: () => number): string {
  const parts = [
    `---\ntitle: "Page ${index + 1} of ${TERM}"\ndescription: "How ${TERM} does part ${index + 1} of its work"\n---`,
    reviewed(index),
  ];
  for (const heading of HEADINGS) {
    parts.push(`## ${heading}`, prose(random, 120), `${TERM} ${prose(random, 75)}`);
    if (heading === "Limits") parts.push("| Limit | Value |\n|---|---|\n| Requests | 100 |\n| Bytes | 4,096 |");
    else if (heading === "Run it") parts.push("```bash\nacme run --page " + String(index + 1) + " --wait\n```");
    else parts.push(`<Note>${prose(random, 20)}</Note>`, links(random));
  }
  parts.push(`![Diagram](/images/diagram-${(index % 320) + 1}.png)`);
  return `${parts.join("\n\n")}\n`;
}

/** A Mintlify navigation with every page in it. */
export function navigation(): string {
  const group = (section: number): object => ({
    group: `Section ${section + 1}`,
    pages: Array.from({ length: PAGES_PER_SECTION }, (_, index) => pageName(section * PAGES_PER_SECTION + index)),
  });
  const groups = Array.from({ length: GUIDES + REFERENCES }, (_, section) => group(section));
  return `${JSON.stringify({ name: "Acme", theme: "mint", navigation: { groups } }, null, 2)}\n`;
}

function prose(random: () => number, words: number): string {
  const picked = Array.from({ length: words }, () => WORDS[Math.floor(random() * WORDS.length)] ?? "");
  return `${picked.join(" ")}.`;
}

function links(random: () => number): string {
  const lines = Array.from({ length: 3 }, () => {
    const target = pageName(Math.floor(random() * PAGES));
    const anchor = (HEADINGS[Math.floor(random() * HEADINGS.length)] ?? "").toLowerCase().replaceAll(" ", "-");
    return `- [${prose(random, 4)}](/${target}#${anchor})`;
  });
  return lines.join("\n");
}
