import { Octokit } from "@octokit/rest";
import { CodeHostError } from "../codehost.ts";
import type { CodeHostConnection } from "../connection.ts";

/** A slow answer to a page of comments takes seconds; a minute without one will not be answered. */
const REQUEST_MS_MAX = 30_000;

/** docs.github.com "API Versions": GitHub.com and GitHub Enterprise Server from 3.9 on know it. */
const API_VERSION = "2022-11-28";

/** Where the REST API of an address lies. docs.github.com "Getting started with the REST API": hosts. */
export function apiUrl(url: string): string {
  if (url === "https://github.com") return "https://api.github.com";
  // GitHub Enterprise Cloud with data residency: `https://NAME.ghe.com` has its API at `https://api.NAME.ghe.com`.
  const residence = /^https:\/\/([a-z0-9-]+\.ghe\.com)$/.exec(url);
  return residence === null ? `${url}/api/v3` : `https://api.${residence[1]}`;
}

/** How the product is called in sentences for people. */
export function productName(url: string): string {
  return url === "https://github.com" ? "GitHub" : `GitHub (${new URL(url).host})`;
}

/** The REST client with the connection's way out. `authorization` is the value of the header. */
export function createOctokit({ url, fetch }: CodeHostConnection, authorization: string): Octokit {
  const octokit = new Octokit({
    baseUrl: apiUrl(url),
    userAgent: "docent",
    request: { fetch },
    // It would print requests that fail, with their addresses.
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  });
  octokit.hook.before("request", (options) => {
    Object.assign(options.headers, { authorization, "x-github-api-version": API_VERSION });
    options.request = { ...options.request, signal: AbortSignal.timeout(REQUEST_MS_MAX) };
  });
  // What is cut off in the middle of its body comes as text, with the status of a success.
  octokit.hook.after("request", ({ status, data }) => {
    if (status === 204 || typeof data === "object") return;
    throw new CodeHostError("unavailable", `${productName(url)} broke off in the middle of an answer.`);
  });
  return octokit;
}

function ignore(): void {}
