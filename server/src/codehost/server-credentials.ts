import type { ServerCredential } from "./codehosts.ts";

/** The variables that name the server's own credentials. */
export interface ServerCredentialsConfig {
  githubUrl: string;
  githubToken: string | null;
  githubAppId: number | null;
  githubAppPrivateKey: string | null;
  gitlabUrl: string;
  gitlabToken: string | null;
  giteaUrl: string | null;
  giteaToken: string | null;
}

/** The server's own credentials, each with the one address that it may go to. */
export function readServerCredentials(config: ServerCredentialsConfig): ServerCredential[] {
  const { githubUrl, githubToken, githubAppId, githubAppPrivateKey } = config;
  const { gitlabUrl, gitlabToken, giteaUrl, giteaToken } = config;
  const credentials: ServerCredential[] = [];
  if (githubToken !== null) {
    credentials.push({ host: "github", url: githubUrl, credential: { type: "token", token: githubToken } });
  }
  if (githubAppId !== null && githubAppPrivateKey !== null) {
    const app = {
      type: "github-app",
      appId: githubAppId,
      installationId: null,
      privateKey: githubAppPrivateKey,
    } as const;
    credentials.push({ host: "github", url: githubUrl, credential: app });
  }
  if (gitlabToken !== null) {
    credentials.push({ host: "gitlab", url: gitlabUrl, credential: { type: "token", token: gitlabToken } });
  }
  if (giteaUrl !== null && giteaToken !== null) {
    credentials.push({ host: "gitea", url: giteaUrl, credential: { type: "token", token: giteaToken } });
  }
  return credentials;
}
