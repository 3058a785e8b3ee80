import type {
  AcceptInvitationBody,
  CreateInvitationBody,
  Invitation,
  InvitationList,
  NewInvitation,
  OfferedInvitation,
  Session,
} from "./generated.ts";
import { path, type Requester, type RequestOptions } from "./request.ts";

/** Links that let somebody in. */
export interface Invitations {
  /** The answer holds the link in `url`; the service never shows it again. */
  create(invitation: CreateInvitationBody, options?: RequestOptions): Promise<NewInvitation>;
  /** Those that can still be accepted. */
  list(options?: RequestOptions): Promise<Invitation[]>;
  revoke(invitationId: string, options?: RequestOptions): Promise<void>;
  /** With the admin token: a link that makes the holder of an e-mail address an owner, with a new password. */
  recoverOwner(email: string, options?: RequestOptions): Promise<NewInvitation>;
  /**
   * What a link offers, by the token in it. Works on pages of the service itself alone, and so does `accept`.
   * @throws DocentError `not_found` when it has been used, revoked or has expired.
   */
  lookUp(token: string, options?: RequestOptions): Promise<OfferedInvitation>;
  /** Makes the account and signs in. */
  accept(acceptance: AcceptInvitationBody, options?: RequestOptions): Promise<Session>;
}

const admin = (options?: RequestOptions) => ({ credential: "admin" as const, signal: options?.signal });
const session = (options?: RequestOptions) => ({ credential: "session" as const, signal: options?.signal });

export function createInvitations(requester: Requester): Invitations {
  return {
    create: (body, options) => requester.json("POST", "/v1/invitations", { ...admin(options), body }),
    async list(options) {
      const answer = await requester.json<InvitationList>("GET", "/v1/invitations", admin(options));
      return answer.invitations;
    },
    async revoke(invitationId, options) {
      await requester.text("DELETE", path`/v1/invitations/${invitationId}`, admin(options));
    },
    recoverOwner: (email, options) =>
      requester.json("POST", "/v1/invitations/recovery", { ...admin(options), body: { email } }),
    lookUp: (token, options) =>
      requester.json("POST", "/v1/invitations/look-up", { ...session(options), body: { token } }),
    accept: (body, options) => requester.json("POST", "/v1/invitations/accept", { ...session(options), body }),
  };
}
