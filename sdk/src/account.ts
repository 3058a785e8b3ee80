import type { Account, ChangePasswordBody, OpenSession, OpenSessionList, UpdateAccountBody } from "./generated.ts";
import { path, type Requester, type RequestOptions } from "./request.ts";

/** One's own account. Works on pages of the service itself alone, for whoever is signed in there. */
export interface Accounts {
  get(options?: RequestOptions): Promise<Account>;
  update(changes: UpdateAccountBody, options?: RequestOptions): Promise<Account>;
  /**
   * Ends every other session of the account.
   * @throws DocentError `forbidden` when the present password is another one.
   */
  changePassword(passwords: ChangePasswordBody, options?: RequestOptions): Promise<void>;
  /** Where one is signed in. */
  listSessions(options?: RequestOptions): Promise<OpenSession[]>;
  endSession(sessionId: string, options?: RequestOptions): Promise<void>;
  /** Signs out everywhere, here too. */
  endSessions(options?: RequestOptions): Promise<void>;
}

const session = (options?: RequestOptions) => ({ credential: "session" as const, signal: options?.signal });

export function createAccounts(requester: Requester): Accounts {
  return {
    get: (options) => requester.json("GET", "/v1/account", session(options)),
    update: (body, options) => requester.json("PATCH", "/v1/account", { ...session(options), body }),
    async changePassword(body, options) {
      await requester.text("POST", "/v1/account/password", { ...session(options), body });
    },
    async listSessions(options) {
      const answer = await requester.json<OpenSessionList>("GET", "/v1/account/sessions", session(options));
      return answer.sessions;
    },
    async endSession(sessionId, options) {
      await requester.text("DELETE", path`/v1/account/sessions/${sessionId}`, session(options));
    },
    async endSessions(options) {
      await requester.text("DELETE", "/v1/account/sessions", session(options));
    },
  };
}
