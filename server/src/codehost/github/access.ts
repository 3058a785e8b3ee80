import type { Octokit } from "@octokit/rest";
import { CodeHostError } from "../codehost.ts";
import type { CodeHostConnection } from "../connection.ts";
import { createAppTokens } from "./app-tokens.ts";
import { createOctokit, productName } from "./api.ts";
import { describeFailure, statusOf } from "./failure.ts";
import { parseRepositoryName, type RepositoryName } from "./names.ts";
import { NEEDED, type Purpose } from "./permissions.ts";

/** As far as it tells whose a comment is. */
interface Authored {
  user?: { id: number; type: string } | null;
  performed_via_github_app?: { id: number } | null;
}

/** Requests to one GitHub with one credential. */
export interface Access {
  /**
   * Runs requests with a token for this repository and purpose.
   * @throws CodeHostError for what fails, except for what `work` itself has made something of.
   */
  run<T>(
    repository: string,
    purpose: Purpose,
    work: (octokit: Octokit, name: RepositoryName) => Promise<T>,
  ): Promise<T>;
  /** The token itself, for git. */
  token(repository: string, purpose: Purpose): Promise<string>;
  /** Whether this credential may push; `role` is what the repository says of the account behind it. */
  mayPush(repository: string, role: boolean | undefined): Promise<boolean | null>;
  /** Tells comments that this credential wrote from others'. */
  ownComments(octokit: Octokit): Promise<(comment: Authored) => boolean>;
}

export function createAccess(connection: CodeHostConnection): Access {
  const { credential, clock } = connection;
  const source = credential.type === "token" ? fixedToken(credential.token) : appTokens(connection, credential);
  const product = productName(connection.url);

  return {
    async run<T>(repository: string, purpose: Purpose, work: (octokit: Octokit, name: RepositoryName) => Promise<T>) {
      const name = parseRepositoryName(repository);
      const attempt = async (): Promise<T> =>
        work(createOctokit(connection, `token ${await source.token(name, purpose)}`), name);
      try {
        return await attempt().catch((error: unknown) => {
          // A token that was minted within the hour can have been revoked since. Nothing has been done with it.
          if (statusOf(error) !== 401 || !source.forget(name, purpose)) throw error;
          return attempt().catch((again: unknown) => {
            if (statusOf(again) !== 401) throw again;
            // The key was accepted just now: not all of GitHub's servers know of its newest tokens at once.
            source.forget(name, purpose);
            throw new CodeHostError("unavailable", `${product} does not know yet the token that it has just made.`);
          });
        });
      } catch (error) {
        throw describeFailure(error, { product, repository, credential: credential.type, now: clock() });
      }
    },

    token: async (repository, purpose) => source.token(parseRepositoryName(repository), purpose),
    mayPush: (repository, role) => source.mayPush(parseRepositoryName(repository), role),
    ownComments: source.ownComments,
  };
}

interface TokenSource extends Pick<Access, "ownComments"> {
  token(name: RepositoryName, purpose: Purpose): Promise<string>;
  mayPush(name: RepositoryName, role: boolean | undefined): Promise<boolean | null>;
  /** @returns whether another one can be had. */
  forget(name: RepositoryName, purpose: Purpose): boolean;
}

function fixedToken(token: string): TokenSource {
  let self: Promise<number | undefined> | undefined;

  /** Tokens of installations (`ghs_…`), which GitHub Actions for one hands out, belong to no user. */
  async function readSelf(octokit: Octokit): Promise<number | undefined> {
    try {
      return (await octokit.rest.users.getAuthenticated()).data.id;
    } catch (error) {
      if (statusOf(error) !== 403) throw error;
      return undefined;
    }
  }

  return {
    token: () => Promise.resolve(token),
    forget: () => false,
    mayPush(_name, role) {
      // For a fine-grained token GitHub answers what its owner may, which the token may well not.
      const isAnswered = role === false || token.startsWith("ghp_");
      return Promise.resolve(isAnswered ? (role ?? null) : null);
    },
    async ownComments(octokit) {
      self ??= readSelf(octokit);
      self.catch(() => (self = undefined));
      const id = await self;
      return ({ user }) => (id === undefined ? user?.type === "Bot" : user?.id === id);
    },
  };
}

function appTokens(
  connection: CodeHostConnection,
  credential: Extract<CodeHostConnection["credential"], { type: "github-app" }>,
): TokenSource {
  const tokens = createAppTokens(connection, credential);
  return {
    token: async (name, purpose) => (await tokens.get(name, purpose)).token,
    forget(name, purpose) {
      tokens.forget(name, purpose);
      return true;
    },
    async mayPush(name) {
      const { granted } = await tokens.get(name, "api read");
      return granted["contents"] === NEEDED["git write"].contents;
    },
    ownComments: () => Promise.resolve((comment) => comment.performed_via_github_app?.id === credential.appId),
  };
}
