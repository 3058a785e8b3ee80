import type { Session, SignInBody } from "./generated.ts";
import type { Requester, RequestOptions } from "./request.ts";

/** The browser's session with the service. Works on pages of the service itself alone. */
export interface Sessions {
  /** Who is signed in, and how people can sign in. */
  get(options?: RequestOptions): Promise<Session>;
  signIn(credentials: SignInBody, options?: RequestOptions): Promise<Session>;
  signOut(options?: RequestOptions): Promise<void>;
}

export function createSessions(requester: Requester): Sessions {
  const session = (options?: RequestOptions) => ({ credential: "session" as const, signal: options?.signal });
  return {
    get: (options) => requester.json("GET", "/v1/session", session(options)),
    signIn: (body, options) => requester.json("POST", "/v1/session", { ...session(options), body }),
    signOut: async (options) => {
      await requester.open("DELETE", "/v1/session", session(options));
    },
  };
}
