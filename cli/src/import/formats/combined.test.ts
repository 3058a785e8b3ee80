import { describe, expect, test } from "vitest";
import { parseLines } from "../testing/parse.ts";
import { combined } from "./combined.ts";

function parse(...lines: string[]) {
  return parseLines(combined, lines);
}

describe("documented samples", () => {
  test("Apache's combined and common format", () => {
    // https://httpd.apache.org/docs/2.4/logs.html
    const { kinds, requests } = parse(
      '127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /apache_pb.gif HTTP/1.0" 200 2326 "http://www.example.com/start.html" "Mozilla/4.08 [en] (Win98; I ;Nav)"',
      '127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /apache_pb.gif HTTP/1.0" 200 2326',
    );
    expect(kinds).toEqual(["requests", "requests"]);
    const common = {
      time: Date.UTC(2000, 9, 10, 20, 55, 36) / 1000,
      method: "GET",
      target: "/apache_pb.gif",
      status: 200,
      address: "127.0.0.1",
      host: "",
    };
    expect(requests).toMatchObject([
      { ...common, referrer: "http://www.example.com/start.html", userAgent: "Mozilla/4.08 [en] (Win98; I ;Nav)" },
      { ...common, referrer: "", userAgent: "" },
    ]);
  });

  test("the combined format with the virtual host in front", () => {
    // vhost_combined in Debian's apache2.conf: "%v:%p %h %l %u %t \"%r\" %>s %O \"%{Referer}i\" \"%{User-Agent}i\"",
    // filled as in https://httpd.apache.org/docs/2.4/logs.html#virtualhost
    const { requests } = parse(
      'docs.example.com:443 192.0.2.7 - - [10/Oct/2000:13:55:36 +0200] "GET / HTTP/1.1" 304 0 "-" "Mozilla/5.0"',
      'docs.example.com 2001:db8::7 - - [10/Oct/2000:13:55:36 +0200] "GET / HTTP/1.1" 304 0 "-" "Mozilla/5.0"',
    );
    const host = "docs.example.com";
    expect(requests).toMatchObject([
      { host, address: "192.0.2.7" },
      { host, address: "2001:db8::7" },
    ]);
  });

  test("nginx's own with a field behind it", () => {
    // log_format main of the packages of nginx.org: combined and "$http_x_forwarded_for".
    const { requests } = parse(
      '192.0.2.7 - - [21/Nov/2026:09:00:00 +0000] "GET /start?a=b HTTP/2.0" 200 512 "-" "curl/8.5.0" "198.51.100.4"',
    );
    expect(requests).toMatchObject([{ target: "/start?a=b", address: "192.0.2.7", userAgent: "curl/8.5.0" }]);
  });
});

test("quotes and bytes are escaped in the ways of both servers", () => {
  const { requests } = parse(
    '192.0.2.7 - - [21/Nov/2026:09:00:00 +0000] "GET /caf\\xC3\\xA9 HTTP/1.1" 200 1 "-" "a \\x22quoted\\x22 \\\\ agent"',
    '192.0.2.7 - - [21/Nov/2026:09:00:00 +0000] "GET /café HTTP/1.1" 200 1 "-" "a \\"quoted\\" \\\\"',
  );
  expect(requests).toMatchObject([
    { target: "/café", userAgent: 'a "quoted" \\ agent' },
    { target: "/café", userAgent: 'a "quoted" \\' },
  ]);
});

test("what is no HTTP is a request without a path", () => {
  const { kinds, requests } = parse(
    '192.0.2.7 - - [21/Nov/2026:09:00:00 +0000] "\\x16\\x03\\x01" 400 150 "-" "-"',
    '192.0.2.7 - - [21/Nov/2026:09:00:00 +0000] "-" 408 - "-" "-"',
    '192.0.2.7 - - [21/Nov/2026:09:00:00 +0000] "GET /old" 200 1 "-" "-"',
  );
  expect(kinds).toEqual(["requests", "requests", "requests"]);
  expect(requests).toMatchObject([
    { method: "", target: "", status: 400 },
    { method: "", status: 408 },
    { method: "GET", target: "/old" },
  ]);
});

test("a user's name may have spaces, and times cross days and zones", () => {
  const { requests } = parse(
    '192.0.2.7 - Frank N Furter [31/Dec/2026:23:59:59 +0530] "GET / HTTP/1.1" 200 1 "-" "-"',
    '192.0.2.7 - - [01/Jan/2027:00:00:00 -0130] "GET / HTTP/1.1" 200 1 "-" "-"',
    '192.0.2.7 - - [29/Feb/2028:12:00:00 +0000] "GET / HTTP/1.1" 200 1 "-" "-"',
  );
  expect(requests.map(({ time }) => new Date(time * 1000).toISOString())).toEqual([
    "2026-12-31T18:29:59.000Z",
    "2027-01-01T01:30:00.000Z",
    "2028-02-29T12:00:00.000Z",
  ]);
});

test.each([
  "",
  "hello",
  '192.0.2.7 - - [21/Nov/2026:09:00:00 +0000] "GET / HTTP/1.1" 200 1 "-" "Mozilla',
  '192.0.2.7 - - [21/Nov/2026:09:00:00 +0000] "GET / HTTP/1.1" 200 1 "-"',
  '192.0.2.7 - - [21/Nov/2026:09:00:00 +0000] "GET / HTTP/1.1" 20',
  '192.0.2.7 - - [21/Nov/2026:09:00:00 +0000] "GET / HTTP/1.1',
  "192.0.2.7 - - [21/Nov/2026:09:00",
  '192.0.2.7 - - [31/Feb/2026:09:00:00 +0000] "GET / HTTP/1.1" 200 1 "-" "-"',
  '192.0.2.7 - - [21/Foo/2026:09:00:00 +0000] "GET / HTTP/1.1" 200 1 "-" "-"',
  '192.0.2.7 - - [21/Nov/2026:9h:00:00 +0000] "GET / HTTP/1.1" 200 1 "-" "-"',
  '{"request":{"uri":"/"}}',
])("is not of the format: %s", (line) => {
  expect(parse(line)).toEqual({ kinds: ["malformed"], requests: [] });
});
