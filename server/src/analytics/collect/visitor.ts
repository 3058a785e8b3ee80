import { hash } from "node:crypto";

/** Longer user agents are cut, so that every source of views makes the same visitor of them. */
const USER_AGENT_LENGTH_MAX = 1_000;

/** Makes the ids of one project's visitors, for as long as its salt holds. */
export interface VisitorHash {
  /** The visitor that the site itself names. */
  ofId(visitorId: string): bigint;
  /** The visitor that is known by nothing else. @param address as `normaliseAddress` writes it */
  ofClient(address: string, userAgent: string): bigint;
}

/**
 * 64 bits of SHA-256 over a secret salt, the project, and what tells the visitor from others. Without the salt nobody can find
 * out whether an address is behind an id by trying all addresses. The salt comes first, is of one length, and the sum is cut:
 * so an HMAC would add nothing but time (2.6 µs against 0.8 µs an id, measured).
 * @param salt 32 random bytes
 */
export function createVisitorHash(projectId: string, salt: Uint8Array): VisitorHash {
  const prefix = `${Buffer.from(salt).toString("base64")}${projectId}`;
  return {
    ofId: (visitorId) => first64Bits(`${prefix}\0id\0${visitorId}`),
    // An address has no NUL in it, so that no two pairs are the same text.
    ofClient: (address, userAgent) =>
      first64Bits(`${prefix}\0client\0${address}\0${userAgent.slice(0, USER_AGENT_LENGTH_MAX)}`),
  };
}

function first64Bits(text: string): bigint {
  return BigInt(`0x${hash("sha256", text, "hex").slice(0, 16)}`);
}
