import type { FrameworkName } from "./framework-name.ts";
import type { MarkdownProfile } from "../page/markdown-profile.ts";
import { docusaurusProfile } from "./docusaurus/docusaurus-profile.ts";
import { fumadocsProfile } from "./fumadocs/fumadocs-profile.ts";
import { mintlifyProfile } from "./mintlify/mintlify-profile.ts";
import { mkdocsProfile } from "./mkdocs/mkdocs-profile.ts";
import { nextraProfile } from "./nextra/nextra-profile.ts";
import { plainProfile } from "./plain/plain-profile.ts";
import { starlightProfile } from "./starlight/starlight-profile.ts";
import { vitepressProfile } from "./vitepress/vitepress-profile.ts";

/** How each framework reads a page: all that a parser thread needs of a framework. */
export const profiles: Readonly<Record<FrameworkName, MarkdownProfile>> = {
  mintlify: mintlifyProfile,
  docusaurus: docusaurusProfile,
  starlight: starlightProfile,
  vitepress: vitepressProfile,
  fumadocs: fumadocsProfile,
  nextra: nextraProfile,
  mkdocs: mkdocsProfile,
  plain: plainProfile,
};
