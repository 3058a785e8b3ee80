import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { normalisePath, PATH_LENGTH_MAX } from "./path.ts";

describe("a path", () => {
  test.each([
    ["/", "/"],
    ["https://docs.example.com", "/"],
    ["https://docs.example.com?utm_source=x", "/"],
    ["http://user:pass@docs.example.com:8080/guides/start#install", "/guides/start"],
    ["HTTPS://DOCS.EXAMPLE.COM/Guides/Start", "/Guides/Start"],
    ["/guides/start/", "/guides/start"],
    ["//guides///start//", "/guides/start"],
    ["/guides/start.md", "/guides/start"],
    ["/guides/start.mdx?raw=1", "/guides/start"],
    ["/guides/start.html", "/guides/start"],
    ["/guides/start.htm", "/guides/start.htm"],
    ["/guides/index.html", "/guides"],
    ["/guides/index/", "/guides"],
    ["/index", "/"],
    ["/index.md", "/"],
    ["/index.html?a=b#c", "/"],
    ["/reindex", "/reindex"],
    ["/.md", "/.md"],
    ["/v1.2", "/v1.2"],
    ["/llms.txt", "/llms.txt"],
    ["/a.html.md", "/a"],
    ["/caf%C3%A9", "/café"],
    ["/caf%c3%a9", "/café"],
    ["/%E2%82%AC%F0%9F%98%80", "/€😀"],
    ["/hello%20world", "/hello world"],
    ["/100%", "/100%"],
    ["/%zz%4", "/%zz%4"],
    ["/%E0%A4", "/%E0%A4"],
    ["/%C3%28", "/%C3("],
    ["/%ED%A0%80", "/%ED%A0%80"],
    ["/a%2fb%3f%23%25", "/a%2Fb%3F%23%25"],
    ["/%%34%31", "/A"],
    ["/a%2Emd", "/a"],
  ])("%s is %s", (given, normalised) => {
    expect(normalisePath(given)).toBe(normalised);
  });

  test.each([
    "",
    "guides/start",
    "ftp://docs.example.com/",
    "javascript:alert(1)",
    "https:///start",
    "about:blank",
    "/a\0b",
    "/a%00b",
    "/a%0Ab",
    "/a\u0085b",
    "/\ud800",
    `/${"a".repeat(PATH_LENGTH_MAX)}`,
    `/a?${"x".repeat(8_000)}`,
  ])("is refused: %j", (given) => {
    expect(normalisePath(given)).toBeUndefined();
  });

  test("is measured after its query is gone and its characters are decoded", () => {
    expect(normalisePath(`/${"%61".repeat(PATH_LENGTH_MAX - 1)}?${"x".repeat(3_000)}`)).toBe(
      `/${"a".repeat(PATH_LENGTH_MAX - 1)}`,
    );
  });
});

const piece = fc.oneof(
  fc.constantFrom("%", "%2", "%25", "%2F", "%41", "%34", "%31", "%E2", "%82", "%AC", "%C3", "%A9", "%ED", "%A0", "%80"),
  fc.constantFrom("%F0", "%9F", "%98", "%2e", "%6d", "%64", "%00", "%0d", "%3f", "%23", "\0", "\n", "\ud83d", "\ude00"),
  fc.constantFrom("/", "//", "index", ".md", ".mdx", ".html", "?", "#", ".", "..", "a", "B", "é", "\\", " "),
  fc.string({ unit: "binary", maxLength: 3 }),
);
const anyPath = fc
  .tuple(fc.constantFrom("", "/", "https://docs.example.com", "https://docs.example.com/"), fc.array(piece))
  .map(([start, pieces]) => start + pieces.join(""));

test("what is normalised stays as it is, and breaks no rule", () => {
  fc.assert(
    fc.property(anyPath, (given) => {
      const path = normalisePath(given);
      if (path === undefined) return;
      expect(normalisePath(path)).toBe(path);
      expect(normalisePath(`https://docs.example.com${path}`)).toBe(path);
      expect(path).toMatch(/^\//);
      expect(path).not.toMatch(/[?#\p{Cc}]|.\/$|\/\/|\/index$|[^/]\.(md|mdx|html)$/u);
      expect(path.length).toBeLessThanOrEqual(PATH_LENGTH_MAX);
      expect(path.isWellFormed()).toBe(true);
    }),
    { numRuns: 20_000 },
  );
});

test("encoding a path the way browsers do changes nothing", () => {
  const text = fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 30 })
    .filter((value) => !/[%/?#\p{Cc}]/u.test(value));
  fc.assert(
    fc.property(fc.array(text, { maxLength: 4 }), (segments) => {
      const plain = `/${segments.join("/")}`;
      const encoded = `/${segments.map((segment) => encodeURIComponent(segment)).join("/")}`;
      expect(normalisePath(encoded)).toBe(normalisePath(plain));
    }),
    { numRuns: 2_000 },
  );
});
