import { describe, expect, test } from "vitest";
import { createPageReader, hostOf, prefersMarkdown, readPage, readStatus } from "./page.ts";

describe("a page", () => {
  test.each([
    [
      "https://Docs.example.com:8443/guides/start.md?raw#x",
      { path: "/guides/start", isMarkdown: true, host: "docs.example.com" },
    ],
    ["/guides/start.mdx", { path: "/guides/start", isMarkdown: true, host: "" }],
    ["/guides/start", { path: "/guides/start", isMarkdown: false, host: "" }],
    ["/v1.2/node.js-runtime", { path: "/v1.2/node.js-runtime", isMarkdown: false, host: "" }],
    ["/changelog/2.10", { path: "/changelog/2.10", isMarkdown: false, host: "" }],
    ["/api/config.js.html", { path: "/api/config.js", isMarkdown: false, host: "" }],
    ["/llms.txt", { path: "/llms.txt", isMarkdown: true, host: "" }],
    ["/docs/llms-full.txt", { path: "/docs/llms-full.txt", isMarkdown: true, host: "" }],
    ["https://me:secret@docs.example.com/", { path: "/", isMarkdown: false, host: "docs.example.com" }],
    ["http://[2001:db8::1]:3000/", { path: "/", isMarkdown: false, host: "[2001:db8::1]" }],
  ])("%s", (given, page) => {
    expect(readPage(given)).toEqual(page);
    const reader = createPageReader();
    expect([reader(given), reader(given)]).toEqual([page, page]);
  });

  test.each([
    "/app.js",
    "/app.js?v=1",
    "/app%2Ejs",
    "/style.CSS",
    "/favicon.ico",
    "/robots.txt",
    "/sitemap.xml",
    "/feed.rss",
    "/openapi.json",
    "/logo.svg",
    "/fonts/inter.woff2",
    "/guide.pdf",
    "/docs/myllms.txt",
    "/llms.txt.js",
    "/_next/image?url=%2Fa",
    "/_next/data/x",
    "/.well-known/agent-card",
    "/cdn-cgi/rum",
    "/.env",
  ])("is not %s", (given) => {
    expect(readPage(given)).toBe("not_a_page");
  });

  test("is not what is no URL", () => {
    expect(readPage("not a url")).toBe("invalid_url");
    const reader = createPageReader();
    expect([reader("x"), reader("x")]).toEqual(["invalid_url", "invalid_url"]);
  });
});

test("a host is read from a URL, and from nothing else", () => {
  expect(["https://A.test/x", "http://a.test:80?y", "https://u:p@a.test#z"].map(hostOf)).toEqual([
    "a.test",
    "a.test",
    "a.test",
  ]);
  expect(["", "/a.test", "a.test", "android-app://a.test/", "https://"].map(hostOf)).toEqual(["", "", "", "", ""]);
});

test("a status says that a page was shown, is missing, or neither", () => {
  const all = Array.from({ length: 700 }, (_, status) => status);
  expect(all.filter((status) => readStatus(status) === "shown")).toEqual([200, 203, 304]);
  expect(all.filter((status) => readStatus(status) === "missing")).toEqual([404, 410]);
});

describe("an Accept header", () => {
  test.each([
    "text/markdown",
    "text/markdown, text/html, */*",
    "text/markdown,text/html;q=0.9,application/xhtml+xml;q=0.8",
    "text/html;q=0.8, text/x-markdown",
    "TEXT/MARKDOWN;q=0.2, */*;q=0.9",
    "text/markdown;charset=utf-8;q=1.0",
  ])("asks for Markdown: %s", (accept) => {
    expect(prefersMarkdown(accept.replace("MARKDOWN", "markdown"))).toBe(true);
  });

  test.each([
    "",
    "*/*",
    "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "text/html;q=1.0, application/xhtml+xml;q=0.9, text/plain;q=0.8, text/markdown;q=0.7, */*;q=0.1",
    "text/markdown;q=0",
    "application/markdownish",
  ])("does not: %s", (accept) => {
    expect(prefersMarkdown(accept)).toBe(false);
  });
});
