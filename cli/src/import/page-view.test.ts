import { describe, expect, test } from "vitest";
import { readPage, readStatus } from "../../../server/src/analytics/collect/page.ts";
import { REJECTIONS } from "../../../server/src/analytics/collect/rejection.ts";
import { createRequest, type LoggedRequest } from "./formats/format.ts";
import { ASSET_EXTENSIONS, createPageViewCheck, REASONS, type PageViewFilter } from "./page-view.ts";

function check(request: Partial<LoggedRequest>, filter: Partial<PageViewFilter> = {}) {
  const views = createPageViewCheck({ hosts: [], basePath: "", ...filter });
  const reason = views.check({
    ...createRequest(),
    method: "GET",
    target: "/start",
    status: 200,
    address: "192.0.2.1",
    ...request,
  });
  return reason ?? views.path;
}

test.each([
  ["/", "/"],
  ["/start?utm_source=x", "/start"],
  ["/start.md", "/start.md"],
  ["/start.html", "/start.html"],
  ["/llms.txt", "/llms.txt"],
  ["/v1.2", "/v1.2"],
  ["/sdks/node.js-runtime/", "/sdks/node.js-runtime/"],
  ["https://docs.example.com/start?a", "/start"],
  ["http://docs.example.com", "/"],
  ["//start", "//start"],
])("%s is a view of %s", (target, path) => {
  expect(check({ target })).toBe(path);
});

test.each<[Partial<LoggedRequest>, string]>([
  [{ target: "/app.js" }, "not_a_page"],
  [{ target: "/images/Logo.PNG?v=2" }, "not_a_page"],
  [{ target: "/app.js", status: 404 }, "not_a_page"],
  [{ method: "HEAD" }, "method_not_get"],
  [{ method: "POST", target: "/app.js" }, "method_not_get"],
  [{ method: "" }, "no_request"],
  [{ target: "*" }, "no_request"],
  [{ target: "docs.example.com:443" }, "no_request"],
  [{ target: "/start?_rsc=1a2b" }, "prefetch"],
  [{ isPrefetch: true }, "prefetch"],
  [{ status: 301 }, "status_not_page_view"],
  [{ status: 206 }, "status_not_page_view"],
  [{ status: 500 }, "status_not_page_view"],
  [{ status: 0 }, "status_not_page_view"],
  [{ address: "" }, "no_visitor"],
])("%j is none: %s", (request, reason) => {
  expect(check(request)).toBe(reason);
});

test.each([200, 203, 304, 404, 410])("the status %i counts", (status) => {
  expect(check({ status })).toBe("/start");
});

describe("filters", () => {
  test("hosts are compared without their case", () => {
    const filter = { hosts: ["docs.example.com"] };
    expect(check({ host: "Docs.Example.com" }, filter)).toBe("/start");
    expect(check({ host: "www.example.com" }, filter)).toBe("other_host");
    expect(check({ host: "" }, filter)).toBe("other_host");
  });

  test("a base path is a folder", () => {
    const filter = { basePath: "/docs" };
    expect(check({ target: "/docs" }, filter)).toBe("/docs");
    expect(check({ target: "/docs/start" }, filter)).toBe("/docs/start");
    expect(check({ target: "/docs?a" }, filter)).toBe("/docs");
    expect(check({ target: "/docsearch" }, filter)).toBe("outside_base_path");
    expect(check({ target: "/blog/docs" }, filter)).toBe("outside_base_path");
  });
});

test("the service decides alike: what is dropped here, it would refuse", () => {
  for (const extension of ASSET_EXTENSIONS) expect(readPage(`/a.${extension}`), extension).toBe("not_a_page");
  for (let status = 0; status < 600; status += 1) {
    const counts = check({ status }) === "/start";
    expect([status, counts]).toEqual([status, readStatus(status) !== "neither"]);
  }
  const own = ["malformed_line", "line_too_long", "other_entry", "no_request", "other_host", "outside_base_path"];
  expect(Object.keys(REASONS).filter((code) => !(code in REJECTIONS))).toEqual(own);
});
