import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";

const SEAL_VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const TOKEN_VERSION = "t1";

/** What the server's secret key is used for. Each use has its own key derived from it. */
export interface Secret {
  /** Encrypts a text for storage (AES-256-GCM; version, nonce, tag, ciphertext). Sealing twice gives different bytes. */
  seal(text: string): Buffer;
  /** @throws Error when the bytes were changed or sealed with another key. */
  open(sealed: Buffer): string;
  /** A token that carries `claims` readably and proves that this server made it (HMAC-SHA256). Safe in URLs and headers. */
  mint(claims: string, expiresAt: Date): string;
  /** The claims, or undefined when the token is not ours or has expired at `now`. */
  verify(token: string, now: Date): string | undefined;
}

function deriveKey(key: Buffer, use: string): Buffer {
  return Buffer.from(hkdfSync("sha256", key, Buffer.alloc(0), `docent ${use}`, 32));
}

/** @param key at least 32 bytes that no one else knows. */
export function createSecret(key: Buffer): Secret {
  if (key.length < 32) throw new Error("The secret key must have at least 32 bytes.");
  const sealKey = deriveKey(key, "seal");
  const tokenKey = deriveKey(key, "token");

  function signature(signed: string): Buffer {
    return createHmac("sha256", tokenKey).update(signed).digest();
  }

  return {
    seal(text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", sealKey, nonce);
      const content = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([Buffer.of(SEAL_VERSION), nonce, cipher.getAuthTag(), content]);
    },

    open(sealed) {
      const contentStart = 1 + NONCE_BYTES + TAG_BYTES;
      if (sealed[0] !== SEAL_VERSION || sealed.length < contentStart) throw new Error("This is not a sealed text.");
      const decipher = createDecipheriv("aes-256-gcm", sealKey, sealed.subarray(1, 1 + NONCE_BYTES));
      decipher.setAuthTag(sealed.subarray(1 + NONCE_BYTES, contentStart));
      try {
        return Buffer.concat([decipher.update(sealed.subarray(contentStart)), decipher.final()]).toString("utf8");
      } catch {
        throw new Error(
          "A sealed text could not be opened: it was changed, or DOCENT_SECRET is another one than before.",
        );
      }
    },

    mint(claims, expiresAt) {
      const seconds = Math.floor(expiresAt.getTime() / 1000);
      const signed = `${TOKEN_VERSION}.${seconds}.${Buffer.from(claims, "utf8").toString("base64url")}`;
      return `${signed}.${signature(signed).toString("base64url")}`;
    },

    verify(token, now) {
      const end = token.lastIndexOf(".");
      const signed = token.slice(0, end);
      const [version, seconds, claims, ...rest] = signed.split(".");
      if (end < 0 || version !== TOKEN_VERSION || claims === undefined || rest.length > 0) return undefined;
      const given = Buffer.from(token.slice(end + 1), "base64url");
      const expected = signature(signed);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
      if (Number(seconds) * 1000 <= now.getTime()) return undefined;
      return Buffer.from(claims, "base64url").toString("utf8");
    },
  };
}
