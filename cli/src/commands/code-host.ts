import { readFileSync } from "node:fs";
import { Option, type Command } from "commander";
import type { Docent } from "@docent/sdk";
import { CommandError } from "../failure.ts";
import type { Terminal } from "../terminal.ts";
import { parseCount } from "./option.ts";

type Credential = NonNullable<Parameters<Docent["projects"]["create"]>[0]["credential"]>;

/** Options that name what a code host accepts. Never the secret itself: other users of the machine see command lines. */
export interface CredentialOptions {
  tokenFile?: string;
  githubApp?: number;
  githubInstallation?: number;
  privateKeyFile?: string;
}

export function withCredentialOptions(command: Command): Command {
  return command
    .option("--token-file <path>", "a file with the code host's token, or - for stdin")
    .addOption(new Option("--github-app <id>", "the id of a GitHub App, instead of a token").argParser(parseCount))
    .addOption(
      new Option("--github-installation <id>", "its installation; found by the repository otherwise").argParser(
        parseCount,
      ),
    )
    .option("--private-key-file <path>", "the app's private key (PEM)");
}

export async function readCredentialOptions(
  terminal: Terminal,
  options: CredentialOptions,
): Promise<{ credential?: Credential }> {
  const { tokenFile, githubApp, githubInstallation, privateKeyFile } = options;
  if ((githubApp === undefined) !== (privateKeyFile === undefined)) {
    throw new CommandError("A GitHub App needs both --github-app and --private-key-file.");
  }
  if (tokenFile !== undefined && githubApp !== undefined) {
    throw new CommandError("A token and a GitHub App are two ways to the same: give one.");
  }
  if (tokenFile !== undefined) return { credential: { token: await readSecretFile(terminal, tokenFile) } };
  if (githubApp === undefined || privateKeyFile === undefined) return {};
  const installation = githubInstallation === undefined ? {} : { installationId: githubInstallation };
  const privateKey = await readSecretFile(terminal, privateKeyFile);
  return { credential: { githubApp: { appId: githubApp, ...installation, privateKey } } };
}

/** A secret from a file or, for `-`, from stdin; without the line break at its end. */
export async function readSecretFile(terminal: Terminal, file: string): Promise<string> {
  const secret = (file === "-" ? await terminal.readInput() : readText(file)).trim();
  if (secret !== "") return secret;
  throw new CommandError(file === "-" ? "Nothing came on stdin." : `${file} is empty.`);
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
