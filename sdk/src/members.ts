import type { Member, MemberList } from "./generated.ts";
import { path, type Requester, type RequestOptions } from "./request.ts";

/** Who may sign in. */
export interface Members {
  list(options?: RequestOptions): Promise<Member[]>;
  /** @throws DocentError `conflict` for the last owner. */
  changeRole(memberId: string, role: Member["role"], options?: RequestOptions): Promise<Member>;
  /**
   * Ends their sessions at once.
   * @throws DocentError `conflict` for the last owner.
   */
  remove(memberId: string, options?: RequestOptions): Promise<void>;
}

const admin = (options?: RequestOptions) => ({ credential: "admin" as const, signal: options?.signal });

export function createMembers(requester: Requester): Members {
  return {
    async list(options) {
      const answer = await requester.json<MemberList>("GET", "/v1/members", admin(options));
      return answer.members;
    },
    changeRole: (memberId, role, options) =>
      requester.json("PATCH", path`/v1/members/${memberId}`, { ...admin(options), body: { role } }),
    async remove(memberId, options) {
      await requester.text("DELETE", path`/v1/members/${memberId}`, admin(options));
    },
  };
}
