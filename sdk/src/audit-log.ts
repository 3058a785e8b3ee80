import type { AuditLog, GetAuditLogQuery } from "./generated.ts";
import type { Requester, RequestOptions } from "./request.ts";

/** Who changed who may do what. */
export interface AuditLogs {
  /** One page, newest first; `nextCursor` is the `cursor` of the next. */
  list(query?: GetAuditLogQuery, options?: RequestOptions): Promise<AuditLog>;
}

export function createAuditLogs(requester: Requester): AuditLogs {
  return {
    list: (query, options) =>
      requester.json("GET", "/v1/audit-log", { credential: "admin", query: { ...query }, signal: options?.signal }),
  };
}
