import type { FrameworkName } from "./framework-name.ts";
import { docusaurus } from "./docusaurus/docusaurus.ts";
import type { Framework } from "./framework.ts";
import { fumadocs } from "./fumadocs/fumadocs.ts";
import { mintlify } from "./mintlify/mintlify.ts";
import { mkdocs } from "./mkdocs/mkdocs.ts";
import { nextra } from "./nextra/nextra.ts";
import { plain } from "./plain/plain.ts";
import { starlight } from "./starlight/starlight.ts";
import { vitepress } from "./vitepress/vitepress.ts";

/** In the order in which they are looked for. `plain` takes whatever is left, so it is the last one. */
export const FRAMEWORKS: readonly Framework[] = [
  mintlify,
  docusaurus,
  starlight,
  vitepress,
  fumadocs,
  nextra,
  mkdocs,
  plain,
];

export function frameworkNamed(name: FrameworkName): Framework {
  return FRAMEWORKS.find((framework) => framework.name === name) ?? plain;
}
