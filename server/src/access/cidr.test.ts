import { expect, test } from "vitest";
import { isAddressIn, normalizeCidr } from "./cidr.ts";

test.each([
  ["10.1.2.3", "10.1.2.3/32"],
  ["10.1.2.3/8", "10.0.0.0/8"],
  ["0.0.0.0/0", "0.0.0.0/0"],
  ["::1", "::1/128"],
  ["2001:DB8::1/32", "2001:db8::/32"],
  ["::ffff:10.0.0.0/104", "10.0.0.0/8"],
  ["::ffff:10.1.2.3", "10.1.2.3/32"],
  ["::/0", "::/0"],
])("%s is the range %s", (text, range) => {
  expect(normalizeCidr(text)).toBe(range);
});

test.each(["", "10.0.0", "10.1", "0177.0.0.1", "0x7f.1", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/08", "10.0.0.0/8/8"])(
  "%j is no range",
  (text) => {
    expect(normalizeCidr(text)).toBeUndefined();
  },
);

test.each(["fe80::1%eth0", "::1/129", "host", "10.0.0.0/ 8", " 10.0.0.1", "10.0.0.1\0"])("%j is no range", (text) => {
  expect(normalizeCidr(text)).toBeUndefined();
});

test("an IPv6 range holds no IPv4 address, mapped or not, and the other way round", () => {
  expect(isAddressIn(["::/0"], "10.0.0.1")).toBe(false);
  expect(isAddressIn(["::/0"], "::ffff:10.0.0.1")).toBe(false);
  expect(isAddressIn(["0.0.0.0/0"], "::1")).toBe(false);
  expect(isAddressIn(["0.0.0.0/0"], "::ffff:10.0.0.1")).toBe(true);
  expect(isAddressIn(["fe80::/10"], "fe80::1%eth0")).toBe(true);
});
