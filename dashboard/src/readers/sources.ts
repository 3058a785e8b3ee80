const NAMES: Record<string, string> = {
  tracker: "the tracker",
  middleware: "the middleware",
  log: "imported logs",
  api: "the API",
};

/** "the tracker and imported logs" */
export function describeSources(sources: readonly string[]): string {
  return new Intl.ListFormat("en").format(sources.map((source) => NAMES[source] ?? source));
}

/** AI agents run no JavaScript: whatever reports visits from browsers alone has not seen one. */
export function seesAgents(sources: readonly string[]): boolean {
  return sources.some((source) => source !== "tracker");
}
