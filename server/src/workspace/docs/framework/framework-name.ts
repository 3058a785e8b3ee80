export type FrameworkName =
  | "mintlify"
  | "docusaurus"
  | "starlight"
  | "vitepress"
  | "fumadocs"
  | "nextra"
  | "mkdocs"
  | "plain";
