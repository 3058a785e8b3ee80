export type FrameworkName = "mintlify" | "docusaurus" | "plain";
