import type { View } from "../view.ts";
import { purposesOf, type Policy } from "./policy.ts";

/** The same as places.sql, for views that are looked at one by one: where a view counts, by scope and key. */
export function createPlaces(
  policy: Policy,
): (
  view: Pick<View, "class" | "purpose" | "source" | "isMissing" | "path" | "agent">,
) => [scope: string, key: string][] {
  const people = new Set<string>(policy.people);
  const agents = new Set<string>(policy.agents);
  const purposes = new Set<string>(purposesOf(policy));
  return (view) => {
    if (view.class === "bot") return [["bot", view.agent]];
    const counts =
      view.class === "human" ? people.has(view.source) : agents.has(view.source) && purposes.has(view.purpose);
    if (!counts) return [];
    if (view.isMissing) {
      return [
        ["missing page", view.path],
        ["missing site", ""],
      ];
    }
    return [
      ["page", view.path],
      ["site", ""],
      ...(view.class === "ai" ? ([["agent", view.agent]] satisfies [string, string][]) : []),
    ];
  };
}
