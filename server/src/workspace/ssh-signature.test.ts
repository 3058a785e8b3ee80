import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createCatFile } from "../git/cat-file.ts";
import { createObjectWriter } from "../git/object-writer.ts";
import { createTestRepository } from "../git/testing/repository.ts";
import { writeCommit } from "./commit.ts";
import { createCommitSigner, generateSigningKey } from "./ssh-signature.ts";

/** git leaves the check of SSH signatures to this program of OpenSSH. */
function hasSshKeygen(): boolean {
  try {
    execFileSync("ssh-keygen", ["-Y", "find-principals"], { stdio: "ignore" });
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ENOENT");
  }
}

test("signing twice gives the same signature, another payload another one", () => {
  const { sign, publicKey } = createCommitSigner(generateSigningKey());
  expect(publicKey).toMatch(/^ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI[\w+/]+=*$/);
  const signature = sign(Buffer.from("payload"));
  expect(signature).toMatch(/^-----BEGIN SSH SIGNATURE-----\nU1NIU0lH[\w+/\n]+=*\n-----END SSH SIGNATURE-----$/);
  expect(sign(Buffer.from("payload"))).toBe(signature);
  expect(sign(Buffer.from("another"))).not.toBe(signature);
});

test("a key of another kind is refused", () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  expect(() => createCommitSigner(pem)).toThrow("Ed25519");
});

test.skipIf(!hasSshKeygen())("git finds a good signature on a signed commit, and none on a changed one", async () => {
  const repository = await createTestRepository();
  onTestFinished(() => repository.remove());
  const parent = await repository.commit("main", { "index.mdx": "# Start\n" });
  const { directory: gitDir } = repository;
  const catFile = createCatFile({ gitDir });
  onTestFinished(() => catFile.close());
  const signer = createCommitSigner(generateSigningKey());
  const objects = createObjectWriter({ directory: join(gitDir, "objects"), format: "sha1", durable: true });
  const author = { name: "Docs bot", email: "bot@example.com" };
  const content = { parent, changes: [], message: "Signed\n\nÜ\n", author, date: new Date(5_000) };
  const commit = await writeCommit({ catFile, objects }, { ...content, sign: signer.sign });
  const allowed = join(gitDir, "allowed_signers");
  await writeFile(allowed, `bot@example.com namespaces="git" ${signer.publicKey}\n`);
  const verify = (oid: string) =>
    repository.git("-c", `gpg.ssh.allowedSignersFile=${allowed}`, "log", "-1", "--format=%G? %GS", oid);
  expect(await verify(commit)).toBe("G bot@example.com");
  const elsewhere = await writeCommit(
    { catFile, objects },
    { ...content, sign: () => signer.sign(Buffer.from("something else")) },
  );
  expect(await verify(elsewhere)).toMatch(/^B/);
  expect(await repository.git("fsck", "--strict", "--no-dangling")).toBe("");
});
