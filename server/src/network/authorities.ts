import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { getCACertificates } from "node:tls";
import { StartError } from "../start-error.ts";

/** The certificate authorities that are trusted when some are added to the usual ones. */
export interface Authorities {
  /** For Node: certificates in PEM form. */
  certificates: string[];
  /** For git: a file of them all, since git's setting replaces the usual ones rather than adding to them. */
  bundleFile: string;
}

/**
 * Reads the file of certificate authorities and writes git's bundle into `directory`.
 * @returns undefined without a file: the usual ones hold.
 * @throws StartError when it cannot be read.
 */
export async function readAuthorities(caFile: string | null, directory: string): Promise<Authorities | undefined> {
  if (caFile === null) return undefined;
  const own = await readCertificates(caFile);
  const certificates = [...getCACertificates("default"), own];
  const bundleFile = join(directory, "certificate-authorities.pem");
  // Several processes may start on one directory, and git may be reading it.
  const written = `${bundleFile}.${process.pid}`;
  const all = new Set([...getCACertificates("system"), ...certificates].map((certificate) => certificate.trim()));
  await writeFile(written, `${[...all].join("\n")}\n`);
  await rename(written, bundleFile);
  return { certificates, bundleFile };
}

async function readCertificates(caFile: string): Promise<string> {
  try {
    const text = await readFile(caFile, "utf8");
    if (text.includes("-----BEGIN CERTIFICATE-----")) return text;
    throw new StartError(`DOCENT_CA_FILE: ${caFile} holds no certificate in PEM form (-----BEGIN CERTIFICATE-----).`);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`DOCENT_CA_FILE: ${caFile} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
