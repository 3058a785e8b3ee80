import type { CodeHostConnection } from "../connection.ts";
import { askHost, type HostAnswer, type HostRequest } from "../request.ts";
import { GiteaRefusal } from "./refusal.ts";

/** Gitea's cap unless its owner sets another one (`MAX_RESPONSE_ITEMS`). */
const PAGE_SIZE = 50;

export interface GiteaBranch {
  /** The branch's name, also when the branch is gone; `ref` is `refs/pull/N/head` then. */
  label: string;
  ref: string;
  /** -1 for a fork that is gone. */
  repo_id: number;
}

export interface GiteaPullRequest {
  number: number;
  html_url: string;
  state: string;
  merged: boolean;
  draft: boolean;
  title: string;
  body: string;
  head: GiteaBranch;
  base: GiteaBranch;
}

export interface GiteaRepository {
  html_url: string;
  default_branch: string;
  archived: boolean;
  owner: { login: string };
  permissions?: { admin: boolean; push: boolean; pull: boolean } | null;
}

export interface GiteaApi {
  /** @throws GiteaRefusal for 4xx. */
  ask<Answer>(method: HostRequest["method"], path: string, body?: object): Promise<Answer>;
  /** Page by page, to the end. */
  pages<Item>(path: string, query?: Record<string, string>): AsyncGenerator<Item[]>;
}

/** The part of `/api/v1` that Docent uses, the same on Gitea and on Forgejo. Paths are without it. */
export function createGiteaApi(connection: CodeHostConnection, token: string, product: string): GiteaApi {
  async function send(method: HostRequest["method"], path: string, body?: object): Promise<HostAnswer> {
    const answer = await askHost(connection, product, {
      method,
      url: `${connection.url}/api/v1${path}`,
      headers: { authorization: `token ${token}` },
      body,
    });
    if (answer.status >= 400) throw new GiteaRefusal(answer);
    return answer;
  }

  return {
    ask: async <Answer>(method: HostRequest["method"], path: string, body?: object) =>
      (await send(method, path, body)).body as Answer,
    async *pages<Item>(path: string, query: Record<string, string> = {}) {
      let seen = 0;
      for (let page = 1; ; page += 1) {
        const parameters = new URLSearchParams({ ...query, page: String(page), limit: String(PAGE_SIZE) });
        const { body, headers } = await send("GET", `${path}?${parameters.toString()}`);
        const items = (body ?? []) as Item[];
        yield items;
        seen += items.length;
        // Every list has this header, and only some have Link.
        if (items.length === 0 || seen >= Number(headers["x-total-count"] ?? Number.POSITIVE_INFINITY)) return;
      }
    },
  };
}
