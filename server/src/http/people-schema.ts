import { Type } from "typebox";
import { PASSWORD_CHARACTERS_MAX, PASSWORD_CHARACTERS_MIN } from "../access/auth.ts";
import type { User } from "../access/users.ts";
import { nullable, oneOf, timestamp } from "./schema.ts";

export const roleSchema = oneOf(["viewer", "editor", "owner"], {
  description:
    "`viewer`: reads. `editor`: also works inside the projects: jobs, pull requests, keys, settings. `owner`: also makes and deletes projects and decides who may sign in.",
});

export const personNameSchema = Type.String({ maxLength: 200, pattern: "\\S", format: "line" });

export const emailSchema = Type.String({ maxLength: 320, format: "email" });

export const passwordSchema = Type.String({
  minLength: PASSWORD_CHARACTERS_MIN,
  maxLength: PASSWORD_CHARACTERS_MAX,
  format: "text",
});

/** One that was set before, whatever the rules were then. */
export const givenPasswordSchema = Type.String({ minLength: 1, maxLength: PASSWORD_CHARACTERS_MAX });

export const userSchema = Type.Object(
  { id: Type.String(), name: Type.String(), email: Type.String(), role: roleSchema },
  { $id: "User" },
);

export const sessionSchema = Type.Object(
  {
    user: Type.Unsafe<User | null>({
      anyOf: [{ $ref: "User#" }, { type: "null" }],
      description: "Who is signed in; null when nobody is.",
    }),
    expiresAt: nullable(timestamp("When the session ends, unless it is used before.")),
    passwordSignIn: Type.Boolean({ description: "People can sign in with e-mail and password." }),
    oidcSignIn: nullable(
      Type.String({
        description:
          "What the OIDC provider is called that people can sign in at: the browser goes to `/v1/sign-in/oidc?next=…`.",
      }),
    ),
  },
  { $id: "Session" },
);

/** How people can sign in here. */
export interface SignInWays {
  passwordSignIn: boolean;
  /** The OIDC provider's name; null without one. */
  oidcSignIn: string | null;
}

/** A session as the API shows it. */
export function describeSession(ways: SignInWays, session: { user: User; expiresAt: Date } | undefined) {
  return { user: session?.user ?? null, expiresAt: session?.expiresAt.toISOString() ?? null, ...ways };
}
