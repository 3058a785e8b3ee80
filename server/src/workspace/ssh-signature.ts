import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from "node:crypto";

/** Signs commits with an SSH key, as `git config gpg.format ssh` does. */
export interface CommitSigner {
  /** As code hosts and `allowed_signers` take it: `ssh-ed25519 AAAA…`. */
  publicKey: string;
  /** The armored signature over a commit object without its signature. The same payload gives the same one. */
  sign(payload: Buffer): string;
}

/** A new Ed25519 key in PEM form. Ed25519 signs without chance, which keeps a commit that is made again the same one. */
export function generateSigningKey(): string {
  return generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

/** @param privateKey an Ed25519 key in PEM form, as `generateSigningKey` makes it. */
export function createCommitSigner(privateKey: string): CommitSigner {
  const key = createPrivateKey(privateKey);
  if (key.asymmetricKeyType !== "ed25519") throw new TypeError("Commits are signed with Ed25519 keys only.");
  const publicKey = sshPublicKey(createPublicKey(key));
  return {
    publicKey: `ssh-ed25519 ${publicKey.toString("base64")}`,
    sign: (payload) => armor(signature(key, publicKey, payload)),
  };
}

const NAMESPACE = "git";
const HASH = "sha512";

/** The signature format of https://github.com/openssh/openssh-portable/blob/master/PROTOCOL.sshsig */
function signature(key: KeyObject, publicKey: Buffer, payload: Buffer): Buffer {
  const digest = createHash(HASH).update(payload).digest();
  const magic = Buffer.from("SSHSIG");
  const common = [field(NAMESPACE), field(""), field(HASH)];
  const signed = sign(null, Buffer.concat([magic, ...common, field(digest)]), key);
  const blob = Buffer.concat([field("ssh-ed25519"), field(signed)]);
  const version = Buffer.of(0, 0, 0, 1);
  return Buffer.concat([magic, version, field(publicKey), ...common, field(blob)]);
}

function sshPublicKey(key: KeyObject): Buffer {
  const { x = "" } = key.export({ format: "jwk" });
  return Buffer.concat([field("ssh-ed25519"), field(Buffer.from(x, "base64url"))]);
}

/** A length in four bytes, then the bytes. */
function field(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content as string);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

function armor(bytes: Buffer): string {
  const lines = bytes.toString("base64").match(/.{1,70}/g) ?? [];
  return ["-----BEGIN SSH SIGNATURE-----", ...lines, "-----END SSH SIGNATURE-----"].join("\n");
}
