/** What a token may do in a repository, in GitHub's own words: `contents`, `pull_requests`, `issues`, `metadata`. */
export type Permissions = Readonly<Record<string, "read" | "write">>;

/** What each kind of operation needs of a GitHub App. */
export const NEEDED = {
  "git read": { contents: "read" },
  "git write": { contents: "write" },
  "api read": { metadata: "read", pull_requests: "read" },
  "api write": { metadata: "read", pull_requests: "write" },
} as const satisfies Record<string, Permissions>;

export type Purpose = keyof typeof NEEDED;

/** The first of the permissions that is not granted, like `Pull requests: write`. */
export function findMissing(needed: Permissions, granted: Readonly<Record<string, string>>): string | undefined {
  const missing = Object.entries(needed).find(
    // Metadata comes with every other one.
    ([name, access]) => name !== "metadata" && !allows(granted[name], access),
  );
  return missing && describePermission(missing[0], missing[1]);
}

function allows(granted: string | undefined, access: "read" | "write"): boolean {
  return granted === "write" || granted === "admin" || granted === access;
}

/** As GitHub's pages name it: `pull_requests`, `write` -> `Pull requests: write`. */
export function describePermission(name: string, access: string): string {
  const words = name.replaceAll("_", " ");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}: ${access}`;
}

/**
 * The header `X-Accepted-GitHub-Permissions`: sets that suffice, separated by semicolons, each a list with commas
 * (docs.github.com "Troubleshooting the REST API").
 */
export function describeAccepted(header: string): string {
  const sets = header.split(";").map((set) =>
    set
      .split(",")
      .map((permission) => {
        const [name = "", access = ""] = permission.trim().split("=");
        return describePermission(name, access);
      })
      .join(" and "),
  );
  return sets.join(", or ");
}
