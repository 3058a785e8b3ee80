import type { KeyScope } from "@docent/sdk";

export const SCOPES: readonly { scope: KeyScope; label: string; description: string }[] = [
  {
    scope: "write",
    label: "Write",
    description: "Creates, messages and archives jobs, and pushes to the built-in repository. Reads everything.",
  },
  { scope: "read", label: "Read", description: "Reads jobs, pull requests and analytics, and clones." },
  {
    scope: "collect",
    label: "Collect",
    description: "Reports page views and nothing else. The one for middleware and log imports.",
  },
  { scope: "admin", label: "Admin", description: "Every operation of this project that a key can do." },
];

/** What a person can paste into a shell to see that a key works. */
export function exampleRequest(scope: KeyScope, key: string, projectId: string, origin: string): string {
  const authorization = `-H 'Authorization: Bearer ${key}'`;
  const json = "-H 'Content-Type: application/json'";
  switch (scope) {
    case "admin":
    case "write":
      return [
        `curl ${origin}/v2/agent/${projectId}/job`,
        authorization,
        json,
        `-d '{"prompt": "fix broken links"}'`,
      ].join(" \\\n  ");
    case "read":
      return [`curl ${origin}/v1/analytics/${projectId}/visitors`, authorization].join(" \\\n  ");
    case "collect":
      return [
        `curl ${origin}/v1/collect/${projectId}`,
        authorization,
        json,
        `-d '{"url": "https://docs.example.com/start", "visitorId": "somebody"}'`,
      ].join(" \\\n  ");
  }
}
