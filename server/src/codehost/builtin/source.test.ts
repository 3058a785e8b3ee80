import fc from "fast-check";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isForbiddenAddress, resolveHost } from "./address.ts";
import { parseSource } from "./source.ts";

test.each([
  ["https://example.com/docs.git", "https://example.com/docs.git", null],
  [" http://10.0.0.5:3000/a/b/ ", "http://10.0.0.5:3000/a/b", null],
  ["https://user:p%40ss@example.com/docs", "https://example.com/docs", "user:p@ss"],
  ["https://token@example.com/docs", "https://example.com/docs", "token:"],
  ["HTTPS://EXAMPLE.com/Docs", "https://example.com/Docs", null],
])("%s is a URL", async (text, url, credential) => {
  expect(await parseSource(text)).toEqual({ type: "url", url, credential });
});

test.each([
  ["", /empty/],
  ["  ", /empty/],
  ["ssh://git@example.com/a", /SSH is not supported yet/],
  ["git+ssh://git@example.com/a", /SSH is not supported yet/],
  ["git@example.com:a/b.git", /SSH is not supported yet/],
  ["git://example.com/a", /not allowed/],
  ["ext::sh -c id", /not allowed/],
  ["fd::17", /not allowed/],
  ["ftp://example.com/a", /not allowed/],
  ["file:///etc", /without file/],
  ["../relative", /relative/],
  ["--upload-pack=id", /relative/],
  ["https://", /not a valid URL/],
  ["https://example.com/a?token=x", /no query/],
  ["https://example.com/a#x", /no query/],
  ["https://a%zz:b@example.com/a", /percent-encoded/],
  ["https://example.com/a\u0000b", /control characters/],
  ["/does/not/exist", /no directory/],
  ["/etc/hostname", /not a directory/],
])("%j is refused", async (text, reason) => {
  expect(await parseSource(text)).toEqual({ refused: expect.stringMatching(reason) });
  expect(await parseSource(text)).toEqual({ refused: expect.stringMatching(/^repository: /) });
});

test("a directory is a path", async () => {
  const directory = await mkdtemp(join(tmpdir(), "docent-test-source-"));
  expect(await parseSource(directory)).toEqual({ type: "path", path: directory });
  await rm(directory, { recursive: true });
});

test("whatever the user info is, the stored URL does not hold it", async () => {
  const word = fc
    .string({ minLength: 6 })
    .filter((text) => /^[\p{L}\p{N}:@/?#%+ -]+$/u.test(text) && /[a-z]{3}/i.test(text));
  await fc.assert(
    fc.asyncProperty(word, async (password) => {
      const source = await parseSource(`https://u:${encodeURIComponent(password)}@host.example/path`);
      expect(source).toEqual({ type: "url", url: "https://host.example/path", credential: `u:${password}` });
    }),
  );
});

test.each([
  "169.254.169.254",
  "169.254.0.1",
  "fe80::1",
  "febf::1",
  "::ffff:169.254.169.254",
  "64:ff9b::a9fe:a9fe",
  "2002:a9fe:a9fe::1",
  "fd00:ec2::254",
  "100.100.100.200",
  "not an address",
])("%s is never reached", (address) => expect(isForbiddenAddress(address)).toBe(true));

test.each(["127.0.0.1", "10.1.2.3", "192.168.0.1", "::1", "fd12::1", "8.8.8.8", "2606:4700::1111", "169.253.1.1"])(
  "%s may be reached",
  (address) => expect(isForbiddenAddress(address)).toBe(false),
);

test("a URL's host is checked in every spelling", async () => {
  for (const host of [
    "169.254.169.254",
    "2852039166",
    "0xa9fea9fe",
    "0251.0376.0251.0376",
    "[fe80::1]",
    "[::ffff:a9fe:a9fe]",
  ]) {
    expect(await resolveHost(new URL(`http://${host}/`).hostname)).toEqual({ refused: expect.any(String) });
  }
  expect(await resolveHost("127.0.0.1")).toEqual({ addresses: ["127.0.0.1"] });
});
