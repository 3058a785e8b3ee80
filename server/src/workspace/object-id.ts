import { createHash } from "node:crypto";

/** The id that git gives a file's content, in the repository's object format: SHA-1, or SHA-256 for ids of 64 digits. */
export function blobId(content: Uint8Array, likeId: string): string {
  const hash = createHash(likeId.length === 64 ? "sha256" : "sha1");
  return hash.update(`blob ${content.length}\0`).update(content).digest("hex");
}
