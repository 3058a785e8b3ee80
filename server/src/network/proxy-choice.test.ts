import { expect, test } from "vitest";
import { createProxyChoice } from "./proxy-choice.ts";

const HTTP = "http://proxy.example:3128";
const HTTPS = "http://secure.example:3128/";

test.each([
  // Each kind of address has its own proxy, and only that one.
  ["", "http://a.example/", HTTP],
  ["", "https://a.example/", "http://secure.example:3128"],
  // This machine is never behind a proxy.
  ["", "http://localhost:11434/v1", null],
  ["", "http://api.localhost/", null],
  ["", "http://127.0.0.5/", null],
  ["", "http://[::1]:8080/", null],
  // Names: themselves and what is below them.
  ["a.example", "http://a.example/", null],
  ["A.Example", "http://a.example./", null],
  ["a.example", "http://b.a.example/", null],
  ["a.example", "http://ba.example/", HTTP],
  [".a.example", "http://a.example/", null],
  [".a.example", "http://b.a.example/", null],
  ["*.a.example", "http://b.a.example/", null],
  ["*.a.example", "http://a.example/", HTTP],
  ["x.example, a.example", "http://a.example/", null],
  ["x.example a.example", "http://a.example/", null],
  ["*", "https://a.example/", null],
  // With a port, at that port only.
  ["a.example:8443", "https://a.example:8443/", null],
  ["a.example:443", "https://a.example/", null],
  ["a.example:8443", "https://a.example/", "http://secure.example:3128"],
  // Addresses and ranges.
  ["10.0.0.1", "http://10.0.0.1/", null],
  ["10.0.0.0/8", "http://10.2.3.4/", null],
  ["10.0.0.0/8", "http://11.2.3.4/", HTTP],
  ["10.0.0.0/8", "http://ten.example/", HTTP],
  ["fd00::/8", "http://[fd12::1]/", null],
  ["[fd12::1]:8080", "http://[fd12::1]:8080/", null],
  ["fd12::1", "http://[fd12:0::1]/", null],
  ["10.0.0.0/99", "http://10.2.3.4/", HTTP],
])("with NO_PROXY=%j, %s goes through %s", (noProxy, url, proxy) => {
  const choice = createProxyChoice({ httpProxy: HTTP, httpsProxy: HTTPS, noProxy });
  expect(choice(new URL(url))).toBe(proxy);
});

test("without a proxy for its kind, a URL goes directly", () => {
  const choice = createProxyChoice({ httpProxy: HTTP, httpsProxy: null, noProxy: null });
  expect(choice(new URL("https://a.example/"))).toBeNull();
});
