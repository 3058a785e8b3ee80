import { expect, test } from "vitest";
import { createReceiverRule, webhookUrlProblem } from "./receiver.ts";

test.each([
  ["ftp://hooks.example.com/", /https:\/\/ URL/],
  ["hooks.example.com", /https:\/\/ URL/],
  ["https://user:pass@hooks.example.com/", /user and the password/],
  ["https://hooks.example.com/#part", /#/],
  ["http://hooks.example.com/", /DOCENT_WEBHOOKS_PRIVATE/],
])("%s is refused", (url, reason) => {
  const problem = webhookUrlProblem(url, "refuse");
  expect(problem).toMatch(/^settings\.webhookUrl: /);
  expect(problem).toMatch(reason);
});

test("https is taken everywhere, http where receivers inside are allowed", () => {
  expect(webhookUrlProblem("https://hooks.example.com:8443/in?team=docs", "refuse")).toBeUndefined();
  expect(webhookUrlProblem("http://hooks.internal/", "allow")).toBeUndefined();
  expect(webhookUrlProblem("http://hooks.internal/", ["10.0.0.0/8"])).toBeUndefined();
});

test("a range allows what lies in it, in either writing, and nothing else inside", () => {
  const isForbidden = createReceiverRule(["10.1.0.0/16", "fd12::/16", "127.0.0.1"]);
  for (const address of ["10.1.2.3", "::ffff:10.1.2.3", "fd12::1", "127.0.0.1", "8.8.8.8"]) {
    expect([address, isForbidden(address)]).toEqual([address, false]);
  }
  for (const address of ["10.2.0.1", "::ffff:10.2.0.1", "fd13::1", "127.0.0.2", "169.254.169.254", "::1"]) {
    expect([address, isForbidden(address)]).toEqual([address, true]);
  }
});
