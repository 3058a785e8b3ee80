import type { FastifyPluginAsyncTypebox, TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import type { AcceptanceRefusal } from "../access/accept-invitation.ts";
import type { Invitations } from "../access/invitations.ts";
import type { Limits } from "../access/limits.ts";
import type { People } from "../access/people.ts";
import { ApiError, type ErrorCode } from "../errors.ts";
import { acceptJsonBody } from "./body.ts";
import { errorResponses } from "./error-answers.ts";
import { offeredInvitationSchema } from "./invitation-schema.ts";
import {
  describeSession,
  emailSchema,
  passwordSchema,
  personNameSchema,
  sessionSchema,
  type SignInWays,
} from "./people-schema.ts";
import { applyLimit } from "./rate-limit.ts";
import { requireSameOrigin } from "./same-origin.ts";
import { reference } from "./schema.ts";

const REQUESTS_PER_ADDRESS_AND_HOUR = 100;

const REFUSALS: Readonly<Record<AcceptanceRefusal, { code: ErrorCode; message: string }>> = {
  not_found: {
    code: "not_found",
    message: "This link does not count any more: it has been used, revoked or has expired. Ask for a new one.",
  },
  other_email: { code: "invalid_request", message: "email: this link is for another address." },
  email_missing: { code: "invalid_request", message: "email is required." },
  name_missing: { code: "invalid_request", message: "name is required." },
  taken: {
    code: "conflict",
    message: "There is an account with this e-mail address. Sign in with it; an owner can change its role.",
  },
};

const token = Type.String({ minLength: 1, maxLength: 200, description: "What follows the `#` in the link." });

export interface InvitationLinkRoutesDependencies {
  invitations: Pick<Invitations, "lookUp" | "accept">;
  people: Pick<People, "startSession">;
  limits: Limits;
  ways: SignInWays;
  publicUrl: string;
}

/** What the page behind an invitation's link does, for somebody who has no account yet. */
export function createInvitationLinkRoutes(dependencies: InvitationLinkRoutesDependencies): FastifyPluginAsyncTypebox {
  const { invitations, people, limits, ways, publicUrl } = dependencies;
  const route = { tags: ["People"], security: [] };

  return async (app) => {
    app.addHook("onRequest", requireSameOrigin(publicUrl));
    app.addHook("onRequest", async (_request, reply) => void reply.header("cache-control", "no-store"));
    app.addHook("preHandler", async (request, reply) => {
      const limit = await limits.take(`invitation ${request.ip}`, REQUESTS_PER_ADDRESS_AND_HOUR);
      applyLimit(reply, limit, "Too many requests from this address");
    });
    acceptJsonBody(app);
    const json = app.withTypeProvider<TypeBoxTypeProvider>();

    json.post(
      "/v1/invitations/look-up",
      {
        schema: {
          ...route,
          operationId: "lookUpInvitation",
          summary: "What an invitation's link offers",
          body: Type.Object({ token }),
          response: {
            200: reference(offeredInvitationSchema, "What it offers."),
            ...errorResponses(400, 403, 404, 413, 415, 429, 503),
          },
        },
      },
      async (request) => {
        const offered = await invitations.lookUp(request.body.token);
        if (offered === undefined) throw refusal("not_found");
        return offered;
      },
    );

    json.post(
      "/v1/invitations/accept",
      {
        schema: {
          ...route,
          operationId: "acceptInvitation",
          summary: "Accept an invitation",
          description: "Makes the account, or gives it its new password, and signs in.",
          body: Type.Object({
            token,
            name: Type.Optional(personNameSchema),
            email: Type.Optional(emailSchema),
            password: passwordSchema,
          }),
          response: {
            200: reference(sessionSchema, "Signed in; the cookie is set."),
            ...errorResponses(400, 403, 404, 409, 413, 415, 429, 503),
          },
        },
      },
      async (request, reply) => {
        const { token: given, name, ...acceptance } = request.body;
        const accepted = await invitations.accept(given, { ...acceptance, name: name?.trim() }, request.ip);
        if ("refused" in accepted) throw refusal(accepted.refused);
        const session = await people.startSession(request, accepted.user.id);
        if (session === undefined) throw refusal("not_found");
        void reply.header("set-cookie", session.cookies);
        return describeSession(ways, { user: accepted.user, expiresAt: session.expiresAt });
      },
    );
  };
}

function refusal(refused: AcceptanceRefusal): ApiError {
  const { code, message } = REFUSALS[refused];
  return new ApiError(code, { message, ...(code === "invalid_request" ? { details: [{ message }] } : {}) });
}
