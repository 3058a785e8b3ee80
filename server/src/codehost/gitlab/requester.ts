import type { Projects } from "@gitbeaker/rest";
import type { CodeHostConnection } from "../connection.ts";
import { askHost, type HostAnswer, type HostRequest } from "../request.ts";
import { GitLabRefusal } from "./refusal.ts";

type RequesterFn = NonNullable<NonNullable<ConstructorParameters<typeof Projects>[0]>["requesterFn"]>;
type Requester = ReturnType<RequesterFn>;

/** What gitbeaker hands over for each request; keys in camel case. */
interface Options {
  searchParams?: Record<string, unknown>;
  body?: Record<string, unknown>;
}

/**
 * How gitbeaker's resources reach GitLab. Its own way is replaced whole: that one knows no other `fetch` (proxy and
 * certificate authorities would not hold), sends 429 and 502 again ten times without looking at Retry-After, and
 * keeps the request with its token in the error.
 * @throws GitLabRefusal for 4xx.
 */
export function createRequester(connection: CodeHostConnection, product: string): RequesterFn {
  return ({ url, authHeaders }) => {
    async function send(method: HostRequest["method"], endpoint: string, options: Options = {}): Promise<HostAnswer> {
      const minted = Object.entries(authHeaders).map(async ([name, mint]) => [name, await mint()] as const);
      const answer = await askHost(connection, product, {
        method,
        url: `${url.replace(/\/+$/, "")}/${endpoint}${queryOf(options.searchParams)}`,
        headers: Object.fromEntries(await Promise.all(minted)),
        body: options.body === undefined ? undefined : inSnakeCase(options.body),
      });
      if (answer.status >= 400) throw new GitLabRefusal(answer);
      return answer;
    }
    const sender = (method: HostRequest["method"]) =>
      ((endpoint, options) => send(method, endpoint, options as Options)) as Requester["get"];
    return {
      get: sender("GET"),
      post: sender("POST"),
      put: sender("PUT"),
      patch: sender("PATCH"),
      delete: sender("DELETE"),
    };
  };
}

function queryOf(parameters: Record<string, unknown> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(inSnakeCase(parameters))) query.set(name, String(value));
  return query.size === 0 ? "" : `?${query.toString()}`;
}

function inSnakeCase(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]),
  );
}
