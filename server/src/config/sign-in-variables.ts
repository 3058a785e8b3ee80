import * as parse from "./parsers.ts";
import { optional, required } from "./variable.ts";

/** How people sign in to the dashboard. */
export const SIGN_IN_VARIABLES = {
  passwordSignIn: required({
    name: "DOCENT_PASSWORD_SIGN_IN",
    meaning: "Whether people sign in to the dashboard with e-mail and password: `on` or `off`.",
    parse: parse.oneOf(["on", "off"]),
    default: "on",
    example: "off",
  }),
  oidcIssuer: optional({
    name: "DOCENT_OIDC_ISSUER",
    meaning:
      "The OpenID Connect provider that people sign in at, exactly as its `/.well-known/openid-configuration` says in `issuer`.",
    parse: parse.issuer,
    otherwise: "none",
    example: "https://login.example.com/realms/acme",
  }),
  oidcClientId: optional({
    name: "DOCENT_OIDC_CLIENT_ID",
    meaning:
      "What that provider knows Docent by. Register `<DOCENT_PUBLIC_URL>/v1/sign-in/oidc/callback` as its redirect URI.",
    parse: parse.text,
    otherwise: "none",
    example: "docent",
  }),
  oidcClientSecret: optional({
    name: "DOCENT_OIDC_CLIENT_SECRET",
    meaning: "The secret that goes with it.",
    parse: parse.text,
    otherwise: "none: a public client, with PKCE alone",
    example: "the secret that the provider shows",
    secret: true,
  }),
  oidcName: required({
    name: "DOCENT_OIDC_NAME",
    meaning: "What people call that provider; it stands on the button.",
    parse: parse.text,
    default: "single sign-on",
    example: "Acme",
  }),
  oidcScopes: required({
    name: "DOCENT_OIDC_SCOPES",
    meaning: "The scopes to ask for, separated by spaces; `openid` is always among them.",
    parse: parse.text,
    default: "openid profile email",
    example: "openid profile email groups",
  }),
  oidcGroupsClaim: required({
    name: "DOCENT_OIDC_GROUPS_CLAIM",
    meaning: "The claim that names a person's groups, in the ID token or at the userinfo endpoint.",
    parse: parse.text,
    default: "groups",
    example: "roles",
  }),
  oidcRoles: optional({
    name: "DOCENT_OIDC_ROLES",
    meaning:
      "What each group may do: `group=role` separated by commas, with the roles `viewer`, `editor` and `owner`; `*` is everybody. The highest role counts, at each sign-in anew; who has none is refused.",
    parse: parse.groupRoles,
    otherwise: "none",
    example: "docs-admins=owner,docs=editor,*=viewer",
  }),
} as const;
