import { describe, expect, test } from "vitest";
import { parseLines } from "../testing/parse.ts";
import { caddy } from "./caddy.ts";
import { cloudflare } from "./cloudflare.ts";
import { vercel } from "./vercel.ts";

describe("Caddy", () => {
  // https://caddyserver.com/docs/logging, on one line as Caddy writes it.
  const sample = {
    level: "info",
    ts: 1646861401.5241024,
    logger: "http.log.access",
    msg: "handled request",
    request: {
      remote_ip: "127.0.0.1",
      remote_port: "41342",
      client_ip: "127.0.0.1",
      proto: "HTTP/2.0",
      method: "GET",
      host: "localhost",
      uri: "/",
      headers: { "User-Agent": ["curl/7.82.0"], Accept: ["*/*"], "Accept-Encoding": ["gzip, deflate, br"] },
      tls: { resumed: false, version: 772, cipher_suite: 4865, proto: "h2", server_name: "example.com" },
    },
    bytes_read: 0,
    user_id: "",
    duration: 0.000929675,
    size: 10900,
    status: 200,
    resp_headers: { Server: ["Caddy"], "Content-Type": ["text/html; charset=utf-8"], Vary: ["Accept-Encoding"] },
  };

  test("the documented sample", () => {
    const { kinds, requests } = parseLines(caddy, [JSON.stringify(sample)]);
    expect(kinds).toEqual(["requests"]);
    expect(requests).toEqual([
      {
        time: 1646861401,
        method: "GET",
        target: "/",
        status: 200,
        address: "127.0.0.1",
        userAgent: "curl/7.82.0",
        referrer: "",
        host: "localhost",
        accept: "",
        isPrefetch: false,
        globalPrivacyControl: false,
      },
    ]);
  });

  test("headers tell of Markdown, prefetches and privacy", () => {
    const headers = { "Sec-Purpose": ["prefetch;prerender"], "Sec-Gpc": ["1"], Accept: ["text/markdown, */*"] };
    const { requests } = parseLines(caddy, [
      JSON.stringify({ ...sample, request: { ...sample.request, headers } }),
      JSON.stringify({ ...sample, resp_headers: { "Content-Type": ["text/markdown; charset=utf-8"] } }),
    ]);
    expect(requests).toMatchObject([
      { isPrefetch: true, globalPrivacyControl: true, accept: "text/markdown" },
      { isPrefetch: false, globalPrivacyControl: false, accept: "text/markdown" },
    ]);
  });

  test.each([
    ["iso8601", "2022-03-09T21:30:01.524Z"],
    ["rfc3339 with a zone", "2022-03-09T22:30:01+01:00"],
    ["wall with a zone", "2022/03/09 22:30:01.524 +0100"],
    ["unix_milli_float", 1646861401524.1],
    ["unix_nano", 1646861401524102400],
  ])("the time format %s", (_name, ts) => {
    expect(parseLines(caddy, [JSON.stringify({ ...sample, ts })]).requests[0]?.time).toBe(1646861401);
  });

  test("other entries, older fields, and lines that are none", () => {
    const { client_ip: _client, remote_ip: _remote, ...request } = sample.request;
    const old = { ...sample, request: { ...request, remote_addr: "[2001:db8::1]:41342" } };
    const { kinds, requests } = parseLines(caddy, [
      JSON.stringify(old),
      '{"level":"info","ts":1646861401,"logger":"tls","msg":"cleaning storage unit"}',
      JSON.stringify({ ...sample, ts: "10:30:01" }),
      JSON.stringify(sample).replace("1646861401.5241024", "1e999"),
      JSON.stringify({ ...sample, ts: -1e300 }),
      JSON.stringify(sample).slice(0, -1),
      "[]",
      "null",
    ]);
    expect(kinds.join(" ")).toBe("requests other malformed malformed malformed malformed other malformed");
    expect(requests).toMatchObject([{ address: "2001:db8::1" }]);
  });
});

describe("Cloudflare", () => {
  // The default fields as in https://cloud.ibm.com/docs/cis?topic=cis-logpull, which passes Cloudflare's logs on; names and types of
  // the others are from https://developers.cloudflare.com/logs/logpush/logpush-job/datasets/zone/http_requests/.
  const sample = {
    ClientIP: "192.0.2.1",
    ClientRequestHost: "docs.example.com",
    ClientRequestMethod: "GET",
    ClientRequestURI: "/guides/start?utm_source=x",
    EdgeEndTimestamp: 1545155129703000000,
    EdgeResponseBytes: 1935,
    EdgeResponseStatus: 200,
    EdgeStartTimestamp: 1545155129696000000,
    RayID: "48b371889c489b2c",
  };

  test.each([
    ["unixnano", 1545155129696000000],
    ["unix", 1545155129],
    ["rfc3339", "2018-12-18T17:45:29Z"],
  ])("timestamps as %s", (_name, EdgeStartTimestamp) => {
    const { kinds, requests } = parseLines(cloudflare, [JSON.stringify({ ...sample, EdgeStartTimestamp })]);
    expect(kinds).toEqual(["requests"]);
    expect(requests).toMatchObject([
      {
        time: 1545155129,
        method: "GET",
        target: "/guides/start?utm_source=x",
        status: 200,
        address: "192.0.2.1",
        host: "docs.example.com",
      },
    ]);
  });

  test("all other fields, and a request that a Worker made itself", () => {
    const full = {
      ...sample,
      ClientRequestUserAgent: "GPTBot/1.3",
      ClientRequestReferer: "https://search.example/",
      EdgeResponseContentType: "text/markdown",
      RequestHeaders: { "sec-gpc": "1", "sec-purpose": "prefetch" },
    };
    const { kinds, requests } = parseLines(cloudflare, [
      JSON.stringify(full),
      JSON.stringify({ ...sample, WorkerSubrequest: true }),
      JSON.stringify({ ...sample, EdgeStartTimestamp: null, EdgeEndTimestamp: null }),
      '{"ClientIP":"192.0.2.1"}',
    ]);
    expect(kinds).toEqual(["requests", "other", "malformed", "malformed"]);
    expect(requests).toMatchObject([
      {
        userAgent: "GPTBot/1.3",
        referrer: "https://search.example/",
        accept: "text/markdown",
        globalPrivacyControl: true,
        isPrefetch: true,
      },
    ]);
  });
});

describe("Vercel", () => {
  // https://vercel.com/docs/drains/reference/logs#format
  const build = {
    id: "1573817187330377061717300000",
    deploymentId: "dpl_233NRGRjVZX1caZrXWtz5g1TAksD",
    source: "build",
    host: "my-app-abc123.vercel.app",
    timestamp: 1573817187330,
    projectId: "gdufoJxB6b9b1fEqr1jUtFkyavUU",
    level: "info",
    message: "Build completed successfully",
    buildId: "bld_cotnkcr76",
    type: "stdout",
    projectName: "my-app",
  };
  const lambda = {
    id: "1573817250283254651097202070",
    deploymentId: "dpl_233NRGRjVZX1caZrXWtz5g1TAksD",
    source: "lambda",
    host: "my-app-abc123.vercel.app",
    timestamp: 1573817250283,
    projectId: "gdufoJxB6b9b1fEqr1jUtFkyavUU",
    level: "info",
    message: "API request processed",
    entrypoint: "api/index.js",
    requestId: "643af4e3-975a-4cc7-9e7a-1eda11539d90",
    statusCode: 200,
    path: "/api/users",
    executionRegion: "sfo1",
    environment: "production",
    proxy: {
      timestamp: 1573817250172,
      method: "GET",
      host: "my-app.vercel.app",
      path: "/api/users?page=1",
      userAgent: ["Mozilla/5.0..."],
      referer: "https://my-app.vercel.app",
      region: "sfo1",
      statusCode: 200,
      clientIp: "120.75.16.101",
      scheme: "https",
      vercelCache: "MISS",
    },
  };

  test.each([
    ["lines", [JSON.stringify(build), JSON.stringify(lambda)], ["other", "requests"]],
    ["an array", [JSON.stringify([build, lambda])], ["requests"]],
  ])("the documented samples as %s", (_name, lines, kinds) => {
    const parsed = parseLines(vercel, lines);
    expect(parsed.kinds).toEqual(kinds);
    expect(parsed.requests).toMatchObject([
      {
        time: 1573817250,
        method: "GET",
        target: "/api/users?page=1",
        status: 200,
        address: "120.75.16.101",
        userAgent: "Mozilla/5.0...",
        referrer: "https://my-app.vercel.app",
        host: "my-app.vercel.app",
      },
    ]);
  });

  test("a request counts once, however much its function logs", () => {
    const other = { ...lambda, id: "2", requestId: "other" };
    const { kinds } = parseLines(
      vercel,
      [lambda, { ...lambda, id: "1" }, other].map((entry) => JSON.stringify(entry)),
    );
    expect(kinds).toEqual(["requests", "other", "requests"]);
  });

  test("an answer that never came has no status", () => {
    const proxy = { ...lambda.proxy, statusCode: -1 };
    expect(parseLines(vercel, [JSON.stringify({ ...lambda, proxy })]).requests).toMatchObject([{ status: 0 }]);
  });
});
