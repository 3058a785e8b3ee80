/**
 * Why a view does not count, by a code that stays, with what to tell who sent it. `{field}` in a message names the field that
 * is wrong.
 */
export const REJECTIONS = {
  invalid_event: "An event must be an object.",
  invalid_field: "A field is not of its type.",
  invalid_url:
    "Give url (http or https) or path (from the slash on), of at most 1,000 characters without control characters.",
  invalid_timestamp:
    "timestamp must be ISO 8601 with a time zone, like 2026-01-31T12:00:00Z, or milliseconds since 1970.",
  no_visitor: "Give visitorId, or ip and userAgent: who looked at the page?",
  timestamp_in_future: "timestamp is more than 10 minutes ahead of the server's clock.",
  timestamp_before_1971: "timestamp is before 1971; as a number it is in milliseconds.",
  timestamp_before_retention: "timestamp is on a day that the project no longer keeps.",
  method_not_get: "Only GET shows a page.",
  status_not_page_view: "Only 200, 203 and 304 show a page, and only 404 and 410 say that there is none.",
  not_a_page: "This is an asset, not a page.",
  prefetch: "The page was prefetched, and may never be seen.",
  global_privacy_control: "The reader sent Global Privacy Control, and the project drops such views.",
} as const;

export type RejectionCode = keyof typeof REJECTIONS;

export interface Rejection {
  code: RejectionCode;
  message: string;
}

/** @param message when there is more to say than the usual. */
export function reject(code: RejectionCode, message: string = REJECTIONS[code]): Rejection {
  return { code, message };
}
