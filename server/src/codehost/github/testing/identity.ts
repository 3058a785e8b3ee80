/** Who a token stands for, and what it may do in repositories. */
export interface Identity {
  login: string;
  permissions: Readonly<Record<string, string>>;
  /** For the token of a GitHub App's installation. */
  app?: { id: number; repositories: readonly string[] };
}

interface Requirement {
  method: string;
  path: RegExp;
  /** One of them suffices. */
  permissions: readonly string[];
  access: "read" | "write";
}

/** docs.github.com "Permissions required for fine-grained personal access tokens". */
const REQUIREMENTS: readonly Requirement[] = [
  { method: "GET", path: /^\/repos\/[^/]+\/[^/]+$/, permissions: ["metadata"], access: "read" },
  { method: "GET", path: /\/collaborators\//, permissions: ["metadata"], access: "read" },
  { method: "GET", path: /\/pulls/, permissions: ["pull_requests"], access: "read" },
  { method: "GET", path: /\/(issues|labels)/, permissions: ["issues", "pull_requests"], access: "read" },
  { method: "POST", path: /\/pulls/, permissions: ["pull_requests"], access: "write" },
  { method: "PATCH", path: /\/pulls/, permissions: ["pull_requests"], access: "write" },
  { method: "POST", path: /\/issues/, permissions: ["issues", "pull_requests"], access: "write" },
];

/** As the header `X-Accepted-GitHub-Permissions` lists what would have sufficed; undefined when it may. */
export function missingPermission(identity: Identity, method: string, path: string): string | undefined {
  const requirement = REQUIREMENTS.find((each) => each.method === method && each.path.test(path));
  if (requirement === undefined) return undefined;
  const { permissions, access } = requirement;
  const may = permissions.some((name) => allows(identity, name, access));
  return may ? undefined : permissions.map((name) => `${name}=${access}`).join("; ");
}

export function allows({ permissions }: Identity, name: string, access: "read" | "write"): boolean {
  return name === "metadata" || permissions[name] === "write" || permissions[name] === access;
}
