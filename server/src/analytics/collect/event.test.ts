import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readEvent, type Browser, type EventContext } from "./event.ts";
import { readPage } from "./page.ts";
import { REJECTIONS } from "./rejection.ts";
import { timeLimits } from "./timestamp.ts";

const NOW = Date.parse("2026-03-15T12:00:00Z");
const CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";
const BROWSER: Browser = {
  address: "198.51.100.7",
  userAgent: CHROME,
  hasGlobalPrivacyControl: false,
  isPrefetch: false,
};
const FROM_SERVER: EventContext = {
  now: NOW,
  limits: timeLimits(NOW, 30),
  browser: undefined,
  dropsGlobalPrivacyControl: false,
  ownHosts: new Set(["docs.example.com"]),
  readPage,
};
const FROM_BROWSER: EventContext = { ...FROM_SERVER, browser: BROWSER };
const CLIENT = { path: "/guides", ip: "192.0.2.1", userAgent: CHROME };

describe("an event of a server", () => {
  test("tells all there is to know", () => {
    const event = {
      url: "https://docs.example.com/Guides/start.md?utm_source=x#top",
      path: "/ignored-beside-a-url",
      ip: "2001:DB8:0:0::1",
      userAgent: CHROME,
      referrer: "https://Search.example.net/?q=private",
      accept: "text/html",
      method: "GET",
      status: 200,
      timestamp: "2026-03-14T08:00:00+01:00",
      source: "middleware",
      later: { nobody: "knows" },
    };
    expect(readEvent(event, FROM_SERVER)).toEqual({
      time: Date.parse("2026-03-14T07:00:00Z"),
      path: "/Guides/start",
      isMissing: false,
      isMarkdown: true,
      source: "middleware",
      referrer: "search.example.net",
      visitor: { address: "2001:db8::1" },
      userAgent: CHROME,
      accept: "text/html",
    });
  });

  test("needs a page and a visitor, and nothing else", () => {
    expect(readEvent({ path: "/guides", visitorId: "reader-1" }, FROM_SERVER)).toEqual({
      time: NOW,
      path: "/guides",
      isMissing: false,
      isMarkdown: false,
      source: "api",
      referrer: "",
      visitor: { id: "reader-1" },
      userAgent: null,
      accept: "",
    });
    const nulls = { visitorId: null, userAgent: null, referrer: null, accept: null, method: null, status: null };
    const more = { timestamp: null, source: null, prefetch: null, globalPrivacyControl: null, url: null };
    expect(readEvent({ path: "/guides", ip: "::ffff:192.0.2.1", ...nulls, ...more }, FROM_SERVER)).toMatchObject({
      visitor: { address: "192.0.2.1" },
      userAgent: null,
    });
  });

  test("prefers the site's own id to an address", () => {
    expect(readEvent({ ...CLIENT, visitorId: "reader-1" }, FROM_SERVER)).toMatchObject({ visitor: { id: "reader-1" } });
    expect(readEvent({ ...CLIENT, visitorId: "" }, FROM_SERVER)).toMatchObject({ visitor: { address: "192.0.2.1" } });
  });

  test("says that a page is missing", () => {
    for (const status of [404, 410]) {
      expect(readEvent({ ...CLIENT, status }, FROM_SERVER)).toMatchObject({ isMissing: true });
    }
  });

  test("asks for Markdown by its Accept header", () => {
    expect(readEvent({ ...CLIENT, accept: "text/markdown, */*" }, FROM_SERVER)).toMatchObject({ isMarkdown: true });
  });

  test.each([
    ["https://docs.example.com/other", ""],
    ["http://docs.example.com:3000/", ""],
    ["https://blog.example.com/post", "blog.example.com"],
    ["about:blank", ""],
    [`https://${"a".repeat(300)}.test/`, ""],
  ])("that %s linked to comes from %j", (referrer, host) => {
    expect(readEvent({ ...CLIENT, referrer }, FROM_SERVER)).toMatchObject({ referrer: host });
  });

  test("comes from nowhere else when its own host linked to it", () => {
    const event = { ...CLIENT, url: "https://preview.example.net/a", referrer: "https://preview.example.net/b" };
    expect(readEvent(event, FROM_SERVER)).toMatchObject({ referrer: "" });
  });
});

describe("an event that does not count", () => {
  test.each([
    [null, "invalid_event"],
    ["/guides", "invalid_event"],
    [[], "invalid_event"],
    [{}, "invalid_url"],
    [{ ...CLIENT, path: 5 }, "invalid_url"],
    [{ ...CLIENT, path: "guides" }, "invalid_url"],
    [{ ...CLIENT, path: "/a\0" }, "invalid_url"],
    [{ ...CLIENT, path: "/app.js" }, "not_a_page"],
    [{ ...CLIENT, userAgent: 5 }, "invalid_field"],
    [{ ...CLIENT, visitorId: 5 }, "invalid_field"],
    [{ ...CLIENT, visitorId: "x".repeat(501) }, "invalid_field"],
    [{ ...CLIENT, visitorId: "\ud800" }, "invalid_field"],
    [{ ...CLIENT, ip: "192.0.2" }, "invalid_field"],
    [{ ...CLIENT, ip: "192.0.2.1:443" }, "invalid_field"],
    [{ ...CLIENT, ip: "fe80::1%eth0" }, "invalid_field"],
    [{ ...CLIENT, status: "200" }, "invalid_field"],
    [{ ...CLIENT, status: 200.5 }, "invalid_field"],
    [{ ...CLIENT, source: "ears" }, "invalid_field"],
    [{ ...CLIENT, prefetch: "yes" }, "invalid_field"],
    [{ ...CLIENT, globalPrivacyControl: 1 }, "invalid_field"],
    [{ ...CLIENT, method: "HEAD" }, "method_not_get"],
    [{ ...CLIENT, method: "get" }, "method_not_get"],
    [{ ...CLIENT, status: 500 }, "status_not_page_view"],
    [{ ...CLIENT, status: 301 }, "status_not_page_view"],
    [{ ...CLIENT, status: -1 }, "status_not_page_view"],
    [{ ...CLIENT, prefetch: true }, "prefetch"],
    [{ path: "/guides" }, "no_visitor"],
    [{ path: "/guides", userAgent: CHROME, ip: "" }, "no_visitor"],
    [{ ...CLIENT, timestamp: "yesterday" }, "invalid_timestamp"],
    [{ ...CLIENT, timestamp: {} }, "invalid_timestamp"],
    [{ ...CLIENT, timestamp: NOW + 600_001 }, "timestamp_in_future"],
    [{ ...CLIENT, timestamp: NOW / 1000 }, "timestamp_before_1971"],
    [{ ...CLIENT, timestamp: "2026-02-13T23:59:59Z" }, "timestamp_before_retention"],
  ])("%j: %s", (event, code) => {
    expect(readEvent(event, FROM_SERVER)).toEqual({ code, message: expect.stringMatching(/^[A-Za-z].*[.?]$/) });
  });

  test("names the field that is wrong", () => {
    expect(readEvent({ ...CLIENT, status: "200" }, FROM_SERVER)).toMatchObject({
      message: "status must be an integer.",
    });
  });

  test("is one with Global Privacy Control where the project drops those", () => {
    const dropping: EventContext = { ...FROM_SERVER, dropsGlobalPrivacyControl: true };
    const event = { ...CLIENT, globalPrivacyControl: true };
    expect(readEvent(event, FROM_SERVER)).toMatchObject({ path: "/guides" });
    expect(readEvent(event, dropping)).toMatchObject({ code: "global_privacy_control" });
    expect(readEvent({ ...CLIENT, globalPrivacyControl: false }, dropping)).toMatchObject({ path: "/guides" });
    const browser: Browser = { ...BROWSER, hasGlobalPrivacyControl: true };
    expect(readEvent({ path: "/guides" }, { ...dropping, browser })).toMatchObject({ code: "global_privacy_control" });
    expect(readEvent({ path: "/guides" }, { ...FROM_SERVER, browser })).toMatchObject({ path: "/guides" });
  });
});

describe("an event of a browser", () => {
  test("is believed nothing that its connection tells", () => {
    const claims = {
      path: "/guides",
      ip: "192.0.2.99",
      userAgent: "GPTBot/1.0",
      visitorId: "somebody-else",
      timestamp: "2026-03-01T00:00:00Z",
      source: "log",
      accept: "text/markdown",
      referrer: "https://search.example.net/",
    };
    expect(readEvent(claims, FROM_BROWSER)).toEqual({
      time: NOW,
      path: "/guides",
      isMissing: false,
      isMarkdown: false,
      source: "tracker",
      referrer: "search.example.net",
      visitor: { address: "198.51.100.7" },
      userAgent: CHROME,
      accept: "",
    });
  });

  test("does not count when it prefetched the page", () => {
    const context: EventContext = { ...FROM_SERVER, browser: { ...BROWSER, isPrefetch: true } };
    expect(readEvent({ path: "/guides" }, context)).toMatchObject({ code: "prefetch" });
  });
});

test("whatever is sent becomes a view that can be stored, or a rejection with a known code", () => {
  const field = fc.oneof(
    fc.jsonValue({ maxDepth: 1 }),
    fc.constantFrom<unknown>(
      "/a",
      "https://a.test/%00",
      "192.0.2.1",
      "::1",
      "GET",
      200,
      404,
      "2026-03-15T12:00:00Z",
      0,
      -0,
      1e300,
      -1e300,
      "\ud800",
      "__proto__",
    ),
  );
  const names = [
    "url",
    "path",
    "visitorId",
    "ip",
    "userAgent",
    "referrer",
    "accept",
    "method",
    "status",
    "timestamp",
    "source",
  ];
  const event = fc.dictionary(fc.constantFrom(...names, "__proto__", "prefetch", "events"), field);
  const anything = fc.oneof({ weight: 4, arbitrary: event }, { weight: 1, arbitrary: fc.anything() });
  const base = fc.constantFrom({}, { path: "/guides" }, CLIENT);
  fc.assert(
    fc.property(anything, base, fc.constantFrom(FROM_SERVER, FROM_BROWSER), (sent, given, context) => {
      const isPlain = typeof sent === "object" && sent !== null && !Array.isArray(sent);
      const answer = readEvent(isPlain ? { ...given, ...sent } : sent, context);
      if ("code" in answer) {
        expect(Object.keys(REJECTIONS)).toContain(answer.code);
        return;
      }
      expect(Number.isInteger(answer.time) && answer.time >= context.limits.retainedFrom).toBe(true);
      expect(answer.time).toBeLessThanOrEqual(context.limits.latest);
      expect(answer.path).toMatch(/^\//);
      expect(answer.referrer).not.toMatch(/[\s/]/);
    }),
    { numRuns: 5_000 },
  );
});
