import { expect, test } from "vitest";
import { clientAddress } from "./client-address.ts";

const noHeader = (): undefined => undefined;

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["::FFFF:192.0.2.1", "192.0.2.1"],
  ["2001:db8::1", "2001:db8::1"],
  ["fe80::1%eth0", "fe80::1"],
  [undefined, undefined],
  ["", undefined],
])("the connection from %s is the address %s", (connection, address) => {
  expect(clientAddress({}, noHeader, connection)).toBe(address);
});

test.each([
  ["192.0.2.1", 1, "192.0.2.1"],
  ["203.0.113.9, 192.0.2.1", 1, "192.0.2.1"],
  ["203.0.113.9, 192.0.2.1, 198.51.100.1", 2, "192.0.2.1"],
  ["192.0.2.1:4711", 1, "192.0.2.1"],
  ["[2001:db8::1]:443", 1, "2001:db8::1"],
  ["[2001:db8::1]", 1, "2001:db8::1"],
  ["2001:db8::1", 1, "2001:db8::1"],
  ["unknown", 1, undefined],
  ["", 1, undefined],
  ["192.0.2.1", 2, undefined],
])("the header %j behind %d proxies names %s", (value, trustedProxies, address) => {
  const header = (name: string) => (name === "x-forwarded-for" ? value : undefined);
  expect(clientAddress({ addressHeader: "X-Forwarded-For", trustedProxies }, header, "198.51.100.7")).toBe(address);
});

test("the header of a proxy that is not named says nothing", () => {
  expect(clientAddress({}, () => "203.0.113.9", "192.0.2.1")).toBe("192.0.2.1");
});

test("without the header that was named, the connection is not taken for the client", () => {
  expect(clientAddress({ addressHeader: "cf-connecting-ip" }, noHeader, "192.0.2.1")).toBeUndefined();
});
