import type { CredentialList, SigningKey, StoreCredentialBody } from "./generated.ts";
import { path, type Requester, type RequestOptions } from "./request.ts";

type ModelCredential =
  | "model-anthropic"
  | "model-openai"
  | "model-google"
  | "model-bedrock"
  | "model-openai-compatible";

export type CredentialName = ModelCredential | "code-host" | "signing-key";

/** What a project's own services accept. The service encrypts it and never shows it again. */
export interface Credentials {
  list(projectId: string, options?: RequestOptions): Promise<CredentialList["credentials"]>;
  /** A model's key. The code host's is changed with `projects.update`. */
  store(
    projectId: string,
    name: ModelCredential,
    credential: StoreCredentialBody,
    options?: RequestOptions,
  ): Promise<void>;
  remove(projectId: string, name: CredentialName, options?: RequestOptions): Promise<void>;
  /** Makes the key that signs the project's commits, in place of the one before, and returns its public half. */
  createSigningKey(projectId: string, options?: RequestOptions): Promise<SigningKey>;
  getSigningKey(projectId: string, options?: RequestOptions): Promise<SigningKey>;
}

const admin = (options?: RequestOptions) => ({ credential: "admin" as const, signal: options?.signal });

export function createCredentials(requester: Requester): Credentials {
  return {
    async list(projectId, options) {
      const answer = await requester.json<CredentialList>(
        "GET",
        path`/v1/projects/${projectId}/credentials`,
        admin(options),
      );
      return answer.credentials;
    },
    async store(projectId, name, credential, options) {
      const request = { ...admin(options), body: credential };
      await requester.text("PUT", path`/v1/projects/${projectId}/credentials/${name}`, request);
    },
    async remove(projectId, name, options) {
      await requester.text("DELETE", path`/v1/projects/${projectId}/credentials/${name}`, admin(options));
    },
    createSigningKey: (projectId, options) =>
      requester.json("POST", path`/v1/projects/${projectId}/signing-key`, admin(options)),
    getSigningKey: (projectId, options) =>
      requester.json("GET", path`/v1/projects/${projectId}/signing-key`, admin(options)),
  };
}
