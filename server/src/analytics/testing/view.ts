import type { View } from "../view.ts";

/** A person's view of the root page, where nothing else is said. */
export function testView(fields: Partial<View> = {}): View {
  return {
    time: Date.UTC(2026, 10, 21, 12),
    visitor: 1n,
    path: "/",
    class: "human",
    purpose: "none",
    agent: "",
    source: "api",
    isMissing: false,
    referrer: "",
    ...fields,
  };
}
