import { path, type Requester, type RequestOptions } from "./request.ts";

/** `admin`: everything in the project. `write` includes `read`. `collect`: reporting visits, nothing else. */
export type KeyScope = "admin" | "write" | "read" | "collect";

export interface ApiKey {
  id: string;
  name: string;
  scope: KeyScope;
  /** The key's first characters, to recognise it by. */
  start: string;
  expiresAt: string | null;
  /** The networks it may be used from; empty for all. */
  cidrs: string[];
  createdAt: string;
}

export interface Keys {
  /** The answer holds the whole key in `key`; the service never shows it again. */
  create(
    projectId: string,
    key: { name: string; scope?: KeyScope; expiresAt?: string; cidrs?: string[] },
    options?: RequestOptions,
  ): Promise<ApiKey & { key: string }>;
  list(projectId: string, options?: RequestOptions): Promise<ApiKey[]>;
  revoke(projectId: string, keyId: string, options?: RequestOptions): Promise<void>;
}

const admin = (options?: RequestOptions) => ({ credential: "admin" as const, signal: options?.signal });

export function createKeys(requester: Requester): Keys {
  return {
    create: (projectId, key, options) =>
      requester.json("POST", path`/v1/projects/${projectId}/keys`, { ...admin(options), body: key }),
    async list(projectId, options) {
      const answer = await requester.json<{ keys: ApiKey[] }>(
        "GET",
        path`/v1/projects/${projectId}/keys`,
        admin(options),
      );
      return answer.keys;
    },
    async revoke(projectId, keyId, options) {
      await requester.text("DELETE", path`/v1/projects/${projectId}/keys/${keyId}`, admin(options));
    },
  };
}
