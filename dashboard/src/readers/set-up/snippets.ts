/** Where visits go: the service's address as the person sees it, the project, and what stands for its key. */
export interface Target {
  origin: string;
  projectId: string;
  /** A key, or null while there is none: then the text reads it from the shell. */
  key: string | null;
}

export function trackerSnippet({ origin, projectId }: Target): string {
  return `<script defer src="${origin}/tracker.js" data-project="${projectId}"></script>`;
}

export function middlewareSnippet({ origin, projectId }: Target): string {
  return `import { createViewMiddleware } from "./docent-middleware.mjs";

const views = createViewMiddleware({
  baseUrl: "${origin}",
  projectId: "${projectId}",
  apiKey: process.env.DOCENT_COLLECT_KEY,
});

// Express and Connect: before the routes that serve pages.
app.use(views.node);
process.once("beforeExit", () => views.close());`;
}

export function middlewareKeySnippet({ key }: Target): string {
  return `export DOCENT_COLLECT_KEY=${key ?? "docent_…"}`;
}

export function importSnippet({ origin, projectId, key }: Target): string {
  return `export DOCENT_URL=${origin}
export DOCENT_PROJECT=${projectId}
export DOCENT_API_KEY=${key ?? "docent_…"}
./docent import /var/log/nginx/access.log`;
}

export function curlSnippet({ origin, projectId, key }: Target): string {
  return `curl ${origin}/v1/collect/${projectId} \\
  -H "Authorization: Bearer ${key ?? "$DOCENT_COLLECT_KEY"}" \\
  -H "Content-Type: application/json" \\
  -d '{"url": "https://docs.example.com/start", "ip": "192.0.2.1", "userAgent": "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0"}'`;
}
