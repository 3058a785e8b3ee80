import type { Caller } from "../access/authorization.ts";
import type { Author } from "../database/schema.ts";

/** Whoever makes a request, as what they ask for remembers them. */
export function authorOf(caller: Caller): Author {
  switch (caller.type) {
    case "administrator":
      return { type: "administrator", name: "Administrator" };
    case "user":
      return { type: "user", name: caller.user.name };
    case "key":
      return { type: "key", name: caller.name };
  }
}
