import { describe, expect, test } from "vitest";
import { isPageRequest, isPageView } from "./page-view.ts";

function request(path: string, headers: Record<string, string> = {}, method = "GET") {
  return { method, path, header: (name: string) => headers[name] };
}

const HTML = "text/html; charset=utf-8";

describe("a page view", () => {
  test.each([
    ["HTML", "/guide", 200, HTML],
    ["HTML with a file's path", "/docs/node.js", 200, "text/html"],
    ["XHTML", "/guide", 200, "application/xhtml+xml"],
    ["Markdown", "/guide.md", 200, "text/markdown; charset=UTF-8"],
    ["Markdown at the page's own path", "/guide", 200, "text/markdown"],
    ["Markdown as plain text", "/guide.mdx", 200, "text/plain"],
    ["the overview for language models", "/docs/llms.txt", 200, "text/plain; charset=utf-8"],
    ["a page that the reader has", "/guide", 304, undefined],
    ["a page that is not there", "/gone", 404, HTML],
    ["a page that is not there any more", "/v1.2", 410, "application/json"],
  ])("%s", (_, path, status, contentType) => {
    expect(isPageView(request(path), { status, contentType })).toBe(true);
  });

  test.each([
    ["an image", "/logo.png", 200, "image/png"],
    ["data", "/search", 200, "application/json"],
    ["plain text", "/robots.txt", 200, "text/plain"],
    ["something without a type", "/guide", 200, undefined],
    ["an image that the reader has", "/logo.svg", 304, undefined],
    ["an image that is not there", "/logo.png", 404, HTML],
    ["a script that is not there", "/app.js", 410, HTML],
    ["a redirect", "/guide", 301, HTML],
    ["a part of a page", "/guide", 206, HTML],
    ["a page behind a sign-in", "/guide", 401, HTML],
    ["an error", "/guide", 500, HTML],
    ["React's server components", "/guide", 200, "text/x-component"],
  ])("not %s", (_, path, status, contentType) => {
    expect(isPageView(request(path), { status, contentType })).toBe(false);
  });

  test.each([
    ["sec-purpose", "prefetch"],
    ["sec-purpose", "prefetch;prerender"],
    ["sec-purpose", "prefetch;anonymous-client-ip"],
    ["purpose", "prefetch"],
    ["x-purpose", "preview"],
    ["x-moz", "prefetch"],
    ["next-router-prefetch", "1"],
    ["x-middleware-prefetch", "1"],
    ["rsc", "1"],
    ["x-nextjs-data", "1"],
  ])("not one that was fetched with %s: %s", (name, value) => {
    expect(isPageView(request("/guide", { [name]: value }), { status: 200, contentType: HTML })).toBe(false);
    expect(isPageRequest(request("/guide", { [name]: value }))).toBe(false);
  });

  test.each(["HEAD", "POST", "OPTIONS", "PUT", ""])("not by the method %s", (method) => {
    expect(isPageView(request("/guide", {}, method), { status: 200, contentType: HTML })).toBe(false);
  });
});

describe("a request that looks like a page's", () => {
  test.each([
    ["an agent's", "/guide", {}],
    ["a browser's", "/", { "sec-fetch-dest": "document" }],
    ["one for Markdown, by a script", "/guide.md", { "sec-fetch-dest": "empty" }],
    ["one for the overview", "/llms-full.txt", {}],
    ["one with a version", "/v1.2", {}],
  ])("%s", (_, path, headers) => {
    expect(isPageRequest(request(path, headers))).toBe(true);
  });

  test.each([
    ["an image's", "/logo.png", {}],
    ["a script's call", "/api/search", { "sec-fetch-dest": "empty" }],
    ["a style sheet's", "/style", { "sec-fetch-dest": "style" }],
  ])("not %s", (_, path, headers) => {
    expect(isPageRequest(request(path, headers))).toBe(false);
  });
});
