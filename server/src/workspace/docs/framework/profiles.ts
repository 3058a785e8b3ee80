import type { FrameworkName } from "./framework-name.ts";
import type { MarkdownProfile } from "../page/markdown-profile.ts";
import { docusaurusProfile } from "./docusaurus/docusaurus-profile.ts";
import { mintlifyProfile } from "./mintlify/mintlify-profile.ts";
import { plainProfile } from "./plain/plain-profile.ts";

/** How each framework reads a page: all that a parser thread needs of a framework. */
export const profiles: Readonly<Record<FrameworkName, MarkdownProfile>> = {
  mintlify: mintlifyProfile,
  docusaurus: docusaurusProfile,
  plain: plainProfile,
};
