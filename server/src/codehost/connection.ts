/** What a code host outside of Docent accepts. Stored sealed, never shown. */
export type CodeHostCredential =
  /** GitHub: a fine-grained or classic token. GitLab: a personal, group or project access token. Gitea: an access token. */
  | { type: "token"; token: string }
  /** Tokens of one hour are minted from it. Without an installation, the repository's is looked up. */
  | { type: "github-app"; appId: number; installationId: number | null; privateKey: string };

/** What an adapter of a code host is made of. */
export interface CodeHostConnection {
  /** Where people open it, without a slash at its end: `https://github.com`, `https://gitlab.example.com/gitlab`. */
  url: string;
  credential: CodeHostCredential;
  /** All HTTP of the adapter goes through it: it honours the outbound proxy and the custom CA. */
  fetch: typeof globalThis.fetch;
  clock: () => Date;
}
