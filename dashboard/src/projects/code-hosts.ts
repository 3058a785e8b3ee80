import type { Project } from "@docent/sdk";

export const CODE_HOST_NAMES: Readonly<Record<Project["codeHost"], string>> = {
  builtin: "Docent's own host",
  github: "GitHub",
  gitlab: "GitLab",
  gitea: "Gitea or Forgejo",
};
