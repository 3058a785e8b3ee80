import type { ApiKey, ApiKeyList, CreateKeyBody, NewApiKey } from "./generated.ts";
import { path, type Requester, type RequestOptions } from "./request.ts";

export type KeyScope = ApiKey["scope"];

export interface Keys {
  /** The answer holds the whole key in `key`; the service never shows it again. */
  create(projectId: string, key: CreateKeyBody, options?: RequestOptions): Promise<NewApiKey>;
  list(projectId: string, options?: RequestOptions): Promise<ApiKey[]>;
  revoke(projectId: string, keyId: string, options?: RequestOptions): Promise<void>;
}

const admin = (options?: RequestOptions) => ({ credential: "admin" as const, signal: options?.signal });

export function createKeys(requester: Requester): Keys {
  return {
    create: (projectId, key, options) =>
      requester.json("POST", path`/v1/projects/${projectId}/keys`, { ...admin(options), body: key }),
    async list(projectId, options) {
      const answer = await requester.json<ApiKeyList>("GET", path`/v1/projects/${projectId}/keys`, admin(options));
      return answer.keys;
    },
    async revoke(projectId, keyId, options) {
      await requester.text("DELETE", path`/v1/projects/${projectId}/keys/${keyId}`, admin(options));
    },
  };
}
