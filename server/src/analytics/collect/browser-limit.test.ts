import { expect, test } from "vitest";
import { createBrowserLimit } from "./browser-limit.ts";

test("an address has so many views a minute, and takes a request as a whole", () => {
  let time = 0;
  const limit = createBrowserLimit({ perMinute: 10, now: () => time });
  expect(limit.take("192.0.2.1", 4)).toBe(0);
  time = 20_500;
  expect(limit.take("192.0.2.1", 7)).toBe(40);
  expect(limit.take("192.0.2.1", 6)).toBe(0);
  expect(limit.take("192.0.2.1", 1)).toBe(40);
  expect(limit.take("192.0.2.2", 10)).toBe(0);
  expect(limit.take("192.0.2.3", 11)).toBe(60);
  time = 60_000;
  expect(limit.take("192.0.2.1", 10)).toBe(0);
});

test("an IPv6 network is one address", () => {
  const limit = createBrowserLimit({ perMinute: 1, now: () => 0 });
  expect(limit.take("2001:db8:0:1::1", 1)).toBe(0);
  expect(limit.take("2001:db8:0:1:ffff::2", 1)).toBe(60);
  expect(limit.take("2001:db8:0:2::1", 1)).toBe(0);
});
