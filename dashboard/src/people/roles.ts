import type { User } from "@docent/sdk";

export const ROLES: readonly { role: User["role"]; label: string; description: string }[] = [
  { role: "viewer", label: "Viewer", description: "Reads everything in all projects." },
  {
    role: "editor",
    label: "Editor",
    description: "Reads everything, runs jobs, merges, and changes keys and settings.",
  },
  {
    role: "owner",
    label: "Owner",
    description: "Does all that editors do, creates and deletes projects, and decides who may sign in.",
  },
];

export function describeRole(role: User["role"]): string {
  return ROLES.find((each) => each.role === role)?.description ?? "";
}
