import type { CodeHostName } from "../database/schema.ts";
import { CodeHostError, type CodeHost } from "./codehost.ts";
import type { CodeHostConnection, CodeHostCredential } from "./connection.ts";
import { createGiteaHost } from "./gitea/gitea.ts";
import { createGitHubHost } from "./github/github.ts";
import { createGitLabHost } from "./gitlab/gitlab.ts";

/** Code hosts outside of Docent. Another one is one more line here. */
const ADAPTERS: Record<Exclude<CodeHostName, "builtin">, (connection: CodeHostConnection) => CodeHost> = {
  github: createGitHubHost,
  gitlab: createGitLabHost,
  gitea: createGiteaHost,
};

const PROBE_MS_MAX = 20_000;

/** Where a project's repository lies, as its row says. */
export interface CodeHostPlace {
  /** The project's id. */
  id: string;
  code_host: CodeHostName;
  code_host_url: string | null;
}

/** Credentials of the server's own, for projects that have none; each only ever goes to its own address. */
export interface ServerCredential {
  host: Exclude<CodeHostName, "builtin">;
  url: string;
  credential: CodeHostCredential;
}

export interface CodeHosts {
  /** The repository's full URL. */
  repositoryUrl(place: Omit<CodeHostPlace, "id"> & { repository: string }): string;
  /** @throws CodeHostError `credential_refused` when there is none for it. */
  of(project: CodeHostPlace): Promise<CodeHost>;
  /**
   * Whether git lets this credential push, asked for without pushing anything: what an API says of a person may be more
   * than what their token may do.
   */
  letsPush(codeHost: CodeHost, repository: string): Promise<boolean>;
  /** For a project that is being made, with a credential that is not stored yet; null takes the server's. */
  connect(
    place: { host: Exclude<CodeHostName, "builtin">; url: string },
    credential: CodeHostCredential | null,
  ): CodeHost;
}

export function createCodeHosts(dependencies: {
  builtinHost: CodeHost;
  /** The project's own credential, as JSON. */
  readCredential(projectId: string): Promise<string | undefined>;
  serverCredentials: readonly ServerCredential[];
  fetch: typeof globalThis.fetch;
  clock: () => Date;
}): CodeHosts {
  const { builtinHost, readCredential, serverCredentials, fetch, clock } = dependencies;
  /** An adapter keeps what it minted, so that not each operation asks for a token. */
  const connected = new Map<string, { key: string; host: CodeHost }>();

  const connect: CodeHosts["connect"] = ({ host, url }, credential) => {
    const own = credential ?? serverCredentials.find((each) => each.host === host && each.url === url)?.credential;
    if (own === undefined) {
      throw new CodeHostError(
        "credential_refused",
        `There is no credential for ${url}. Give the project one, or the server (DOCENT_${host.toUpperCase()}_TOKEN).`,
      );
    }
    return ADAPTERS[host]({ url, credential: own, fetch, clock });
  };

  return {
    connect,

    repositoryUrl: ({ code_host_url: url, repository }) =>
      url === null ? builtinHost.repositoryUrl(repository) : `${url}/${repository}`,

    async letsPush(codeHost, repository) {
      const { url, authorization } = await codeHost.remote(repository, "write");
      // gitprotocol-http(5): what a push asks first.
      const answer = await fetch(`${url}/info/refs?service=git-receive-pack`, {
        headers: authorization === undefined ? {} : { authorization },
        redirect: "manual",
        signal: AbortSignal.timeout(PROBE_MS_MAX),
      }).catch((error: unknown) => {
        throw new CodeHostError("unavailable", `${url} could not be reached.`, { cause: error });
      });
      await answer.body?.cancel();
      return answer.status !== 401 && answer.status !== 403;
    },

    async of({ id, code_host: name, code_host_url: url }) {
      if (name === "builtin" || url === null) return builtinHost;
      const stored = await readCredential(id);
      const key = `${name} ${url} ${stored ?? ""}`;
      const known = connected.get(id);
      if (known?.key === key) return known.host;
      const credential = stored === undefined ? null : (JSON.parse(stored) as CodeHostCredential);
      const host = connect({ host: name, url }, credential);
      connected.set(id, { key, host });
      return host;
    },
  };
}
