import { GitError, runGit } from "../../git/git.ts";
import { probe, type ImportNetwork } from "./probe.ts";
import { readRefs } from "./refs.ts";
import type { Source } from "./source.ts";

const REFSPECS = ["+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"];
/** git gives up on a server that sends less than 1 kB/s for this long. */
const LOW_SPEED_SECONDS = 60;

export type ImportOutcome = { defaultBranch: string } | { failed: string };

interface Fetch {
  url: string;
  args: string[];
  config: Record<string, string>;
}

async function planFetch(
  source: Source,
  network: ImportNetwork,
  signal: AbortSignal,
): Promise<Fetch | { failed: string }> {
  if (source.type === "path") {
    // The source's owner may be another user; git would refuse to read it, and clears our settings for this process.
    return { url: source.path, args: ["--upload-pack=git -c safe.directory=* upload-pack"], config: {} };
  }
  const authorization =
    source.credential === null ? undefined : `Basic ${Buffer.from(source.credential).toString("base64")}`;
  const endpoint = await probe(source.url, authorization, network, signal);
  if ("refused" in endpoint) return { failed: endpoint.refused };
  const { hostname, port, protocol, origin } = new URL(endpoint.url);
  const addresses = endpoint.addresses.map((address) => (address.includes(":") ? `[${address}]` : address)).join(",");
  return {
    url: endpoint.url,
    args: [],
    config: {
      "http.followRedirects": "false",
      "http.lowSpeedLimit": "1000",
      "http.lowSpeedTime": String(LOW_SPEED_SECONDS),
      // Behind a proxy, the name is the proxy's to resolve.
      ...(network.isProxied(new URL(endpoint.url))
        ? {}
        : { "http.curloptResolve": `${hostname}:${port || (protocol === "https:" ? "443" : "80")}:${addresses}` }),
      ...network.git(endpoint.url),
      ...(endpoint.authorization === undefined
        ? {}
        : { [`http.${origin}/.extraHeader`]: `Authorization: ${endpoint.authorization}` }),
    },
  };
}

/** The branch that the source's HEAD stands on, or the best guess where it stands on none. */
function chooseBranch(lsRemote: string, branches: ReadonlyMap<string, string>): string | undefined {
  const head = /^ref: refs\/heads\/(.+)\tHEAD$/m.exec(lsRemote)?.[1];
  if (head !== undefined && branches.has(`refs/heads/${head}`)) return head;
  const detached = /^([0-9a-f]+)\tHEAD$/m.exec(lsRemote)?.[1];
  const names = [...branches.keys()].map((ref) => ref.slice("refs/heads/".length));
  return (
    names.find((name) => name === "main" || name === "master") ??
    names.find((name) => branches.get(`refs/heads/${name}`) === detached) ??
    names[0]
  );
}

function describeGitFailure(source: Source, error: GitError): string {
  if (source.type === "path" && /does not appear to be a git repository|not a git repository/i.test(error.stderr)) {
    return `${source.path} is not a Git repository. Give the directory that holds .git, or a bare repository.`;
  }
  // What the other side says comes with NUL bytes and colours, and PostgreSQL stores no NUL.
  const stderr = error.stderr.replaceAll(/[^\P{Cc}\n]/gu, "");
  if (/unable to read [0-9a-f]{40}|possible repository corruption|missing (?:blob|tree|commit)/i.test(stderr)) {
    return "The repository lacks some of its own objects: it may be a partial clone, or damaged. Give a complete copy (git clone --mirror of the original), or mend it; git fsck --full says what is missing.";
  }
  const lines = stderr.split("\n").filter((line) => /^(fatal|error|remote):/.test(line));
  return `git could not fetch the repository. ${lines.slice(0, 3).join(" ") || stderr.trim().slice(0, 300)}`;
}

/**
 * Fetches all branches and tags of the source into an empty bare repository and settles its default branch. A working
 * copy gives what is committed; nothing is ever written to the source.
 * @param wanted the branch that jobs are to start from; undefined for the source's own default.
 */
export async function importInto(
  gitDir: string,
  source: Source,
  wanted: string | undefined,
  network: ImportNetwork,
  signal: AbortSignal,
): Promise<ImportOutcome> {
  const plan = await planFetch(source, network, signal);
  if ("failed" in plan) return plan;
  const { url, args, config } = plan;
  try {
    const listed = await runGit(["ls-remote", "--symref", ...args, url, "HEAD"], { gitDir, config, signal });
    await runGit(["fetch", "--quiet", "--no-write-fetch-head", "--update-shallow", ...args, url, ...REFSPECS], {
      gitDir,
      config,
      signal,
    });
    const branches = await readRefs(gitDir, ["refs/heads/"]);
    if (branches.size === 0) {
      return {
        failed: "The repository has no commits. Push a first commit to it, or create the project without a repository.",
      };
    }
    const branch = wanted ?? chooseBranch(listed.stdout.toString("utf8"), branches);
    if (branch === undefined || !branches.has(`refs/heads/${branch}`)) {
      const names = [...branches.keys()].slice(0, 10).map((ref) => ref.slice("refs/heads/".length));
      return { failed: `The repository has no branch ${branch}. It has: ${names.join(", ")}.` };
    }
    await runGit(["symbolic-ref", "HEAD", `refs/heads/${branch}`], { gitDir });
    return { defaultBranch: branch };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof GitError)) throw error;
    return { failed: describeGitFailure(source, error) };
  }
}
