import { isSameOrigin, type SentByBrowser } from "../access/same-origin.ts";
import { ApiError } from "../errors.ts";

/** A hook for what browsers do before anybody is signed in: only pages of the service itself may have them do it. */
export function requireSameOrigin(publicUrl: string): (request: SentByBrowser) => Promise<void> {
  const ours = new URL(publicUrl);
  return async (request) => {
    if (!isSameOrigin(request, ours)) {
      throw new ApiError("forbidden", { message: "This request came from a page of another site." });
    }
  };
}
