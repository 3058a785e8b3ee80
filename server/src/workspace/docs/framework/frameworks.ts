import type { FrameworkName } from "./framework-name.ts";
import { docusaurus } from "./docusaurus/docusaurus.ts";
import type { Framework } from "./framework.ts";
import { mintlify } from "./mintlify/mintlify.ts";
import { plain } from "./plain/plain.ts";

/** In the order in which they are looked for. `plain` takes whatever is left, so it is the last one. */
export const FRAMEWORKS: readonly Framework[] = [mintlify, docusaurus, plain];

export function frameworkNamed(name: FrameworkName): Framework {
  return FRAMEWORKS.find((framework) => framework.name === name) ?? plain;
}
