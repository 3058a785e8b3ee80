import type { GitRemote } from "../codehost/codehost.ts";
import { GitError, runGit, type GitResult } from "../git/git.ts";

export interface RemoteGit {
  /** Runs git with `origin` standing for the remote. `filter`: which objects fetches leave out. */
  run(args: readonly string[], options?: RemoteGitOptions): Promise<GitResult>;
  /** The commit of a branch on the remote, or of its HEAD (null), without fetching anything. */
  head(branch: string | null): Promise<string | undefined>;
}

/** The configuration that takes git the way out to a URL: a proxy, certificate authorities. */
export type GitNetwork = (url: string) => Readonly<Record<string, string>>;

export interface RemoteGitOptions {
  filter?: string;
  access?: "read" | "write";
  config?: Readonly<Record<string, string>>;
}

/**
 * Runs git commands against one remote. URL, credential and filter travel in the environment of that one process and
 * are never written into the repository's configuration: with a promisor remote on disk, git before 2.45 would fetch
 * a left-out blob whenever anything looks at it.
 */
export function createRemoteGit(
  gitDir: string,
  remote: (access: "read" | "write") => Promise<GitRemote>,
  network: GitNetwork,
): RemoteGit {
  async function run(args: readonly string[], options: RemoteGitOptions = {}): Promise<GitResult> {
    const { url, authorization, addresses = [] } = await remote(options.access ?? "read");
    const config: Record<string, string> = {
      "remote.origin.url": url,
      // A transfer slower than 1 kB/s for a minute has failed, not merely slowed.
      "http.lowSpeedLimit": "1000",
      "http.lowSpeedTime": "60",
      ...network(url),
      ...options.config,
    };
    if (options.filter !== undefined) {
      // Not `--filter`: git fetch writes that option into the configuration file.
      config["remote.origin.promisor"] = "true";
      config["remote.origin.partialclonefilter"] = options.filter;
    }
    if (addresses.length > 0) {
      const { hostname, port, protocol } = new URL(url);
      const list = addresses.map((address) => (address.includes(":") ? `[${address}]` : address)).join(",");
      config["http.curloptResolve"] = `${hostname}:${port || (protocol === "https:" ? "443" : "80")}:${list}`;
      config["http.followRedirects"] = "false";
    }
    if (authorization !== undefined) {
      config[`http.${url}.extraHeader`] = `Authorization: ${authorization}`;
      // Git would send the header on to whatever host a redirect names.
      config["http.followRedirects"] = "false";
    }
    return runGit(args, { gitDir, config });
  }

  return {
    run,
    async head(branch) {
      const name = branch === null ? "HEAD" : `refs/heads/${branch}`;
      const result = await run(["ls-remote", "origin", name]);
      // The pattern matches the end of names, so that other references may come with it.
      for (const line of result.stdout.toString("utf8").split("\n")) {
        const [oid, found] = line.split("\t");
        if (found === name) return oid;
      }
      return undefined;
    },
  };
}

/** Says whether a fetch failed because the remote does not have, or does not give out, the object asked for. */
export function isMissingOnRemote(error: unknown): boolean {
  return (
    error instanceof GitError &&
    /not our ref|unadvertised object|couldn't find remote ref|no such remote ref/i.test(error.stderr)
  );
}
