import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createSecret } from "./secret.ts";

const secret = createSecret(randomBytes(32));
const now = new Date("2026-01-01T00:00:00Z");
const later = new Date("2026-01-01T00:10:00Z");

test("what is sealed opens again, never looks the same, and shows nothing of the text", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 8 }), (text) => {
      const sealed = secret.seal(text);
      expect(secret.open(sealed)).toBe(text);
      expect(secret.seal(text).equals(sealed)).toBe(false);
      expect(sealed.includes(text)).toBe(false);
    }),
  );
});

test("a changed byte or another key does not open", () => {
  const sealed = secret.seal("user:password");
  for (let index = 0; index < sealed.length; index++) {
    const changed = Buffer.from(sealed);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(() => secret.open(changed)).toThrow();
  }
  expect(() => createSecret(randomBytes(32)).open(sealed)).toThrow(/DOCENT_SECRET/);
  expect(() => secret.open(Buffer.alloc(0))).toThrow();
});

test("a token carries its claims until it expires", () => {
  const token = secret.mint("git prj_1 write", later);
  expect(secret.verify(token, now)).toBe("git prj_1 write");
  expect(secret.verify(token, later)).toBeUndefined();
  expect(token).toMatch(/^[\w.-]+$/);
});

test("a forged or broken token is not ours", () => {
  const token = secret.mint("git prj_1 read", later);
  const [version, seconds, , signature] = token.split(".");
  const claims = Buffer.from("git prj_1 write").toString("base64url");
  expect(secret.verify(`${version}.${seconds}.${claims}.${signature}`, now)).toBeUndefined();
  expect(secret.verify(createSecret(randomBytes(32)).mint("git prj_1 read", later), now)).toBeUndefined();
  fc.assert(fc.property(fc.string(), (text) => secret.verify(text, now) === undefined));
});
