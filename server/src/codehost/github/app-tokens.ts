import { createAppAuth } from "@octokit/auth-app";
import type { Octokit } from "@octokit/rest";
import { CodeHostError } from "../codehost.ts";
import type { CodeHostConnection, CodeHostCredential } from "../connection.ts";
import { createOctokit, productName } from "./api.ts";
import { describeFailure, statusOf, validationErrors } from "./failure.ts";
import type { RepositoryName } from "./names.ts";
import { findMissing, NEEDED, type Purpose } from "./permissions.ts";

/** A git operation on a big repository, begun with the last token before this, still ends in time. */
const RENEW_BEFORE_MS = 10 * 60_000;

export interface AppToken {
  token: string;
  expiresAt: Date;
  /** What the installation may do, of which this token may only a part. */
  granted: Readonly<Record<string, string>>;
}

/**
 * Tokens of a GitHub App's installation, each for one repository and one purpose, kept until shortly before they
 * expire (after an hour). The package makes the App's own token; its installation tokens are kept by installation
 * number alone, which two GitHubs can share, so that they are made here.
 */
export interface AppTokens {
  /** @throws CodeHostError when the App is refused, is not installed there, or may not do it. */
  get(name: RepositoryName, purpose: Purpose): Promise<AppToken>;
  forget(name: RepositoryName, purpose: Purpose): void;
}

interface Installation {
  id: number;
  permissions: Readonly<Record<string, string>>;
}

export function createAppTokens(
  connection: CodeHostConnection,
  credential: Extract<CodeHostCredential, { type: "github-app" }>,
): AppTokens {
  const { appId, installationId, privateKey } = credential;
  const product = productName(connection.url);
  const auth = createAppAuth({ appId, privateKey });
  const kept = new Map<string, Promise<AppToken>>();
  const keyOf = ({ owner, repo }: RepositoryName, purpose: Purpose) => `${owner}/${repo} ${purpose}`.toLowerCase();

  async function asApp(): Promise<Octokit> {
    const own = await auth({ type: "app" }).catch((error: unknown) => {
      const message = `The private key of the GitHub App ${appId} cannot be read. Give the project the whole PEM file that ${product} made.`;
      throw new CodeHostError("credential_refused", message, { cause: error });
    });
    return createOctokit(connection, `bearer ${own.token}`);
  }

  async function findInstallation(octokit: Octokit, name: RepositoryName): Promise<Installation> {
    const { data } = await (
      installationId === null
        ? octokit.rest.apps.getRepoInstallation({ ...name })
        : octokit.rest.apps.getInstallation({ installation_id: installationId })
    ).catch((error: unknown) => {
      if (statusOf(error) !== 404) throw error;
      const place = installationId === null ? `${name.owner}/${name.repo}` : `its installation ${installationId}`;
      throw new CodeHostError(
        "not_found",
        `The GitHub App ${appId} knows nothing of ${place}. Check the App's ID, and install the App on the repository.`,
      );
    });
    if (data.suspended_at !== null) {
      const message = `The GitHub App ${appId} is suspended for ${name.owner}. Somebody there must unsuspend it in the settings of its installation.`;
      throw new CodeHostError("credential_refused", message);
    }
    return { id: data.id, permissions: data.permissions };
  }

  async function mint(name: RepositoryName, purpose: Purpose): Promise<AppToken> {
    const octokit = await asApp();
    const installation = await findInstallation(octokit, name);
    const missing = findMissing(NEEDED[purpose], installation.permissions);
    if (missing !== undefined) {
      throw new CodeHostError(
        "permission_missing",
        `The GitHub App ${appId} lacks a permission on ${name.owner}/${name.repo}. Grant it in the App's settings, and accept it for the installation: ${missing}.`,
      );
    }
    const created = await octokit.rest.apps
      .createInstallationAccessToken({
        installation_id: installation.id,
        repositories: [name.repo],
        permissions: NEEDED[purpose],
      })
      .catch((error: unknown) => {
        if (validationErrors(error) === undefined) throw error;
        const message = `The GitHub App ${appId} is installed for ${name.owner}, and not on ${name.repo}. Add the repository to its installation.`;
        throw new CodeHostError("not_found", message, { cause: error });
      });
    const { token, expires_at: expiresAt } = created.data;
    return { token, expiresAt: new Date(expiresAt), granted: installation.permissions };
  }

  return {
    async get(name, purpose) {
      const key = keyOf(name, purpose);
      const known = await kept.get(key);
      if (known !== undefined && known.expiresAt.getTime() - RENEW_BEFORE_MS > connection.clock().getTime()) {
        return known;
      }
      const minted = mint(name, purpose).catch((error: unknown) => {
        const repository = `${name.owner}/${name.repo}`;
        throw describeFailure(error, { product, repository, credential: "github-app", now: connection.clock() });
      });
      kept.set(key, minted);
      minted.catch(() => kept.delete(key));
      return minted;
    },
    forget: (name, purpose) => void kept.delete(keyOf(name, purpose)),
  };
}
