import { Type } from "typebox";
import { REJECTIONS, type RejectionCode } from "../analytics/collect/rejection.ts";
import { SOURCES } from "../analytics/view.ts";
import { oneOf } from "./schema.ts";

const optionalText = (description: string) => Type.Optional(Type.String({ description }));

export const collectEventSchema = Type.Object(
  {
    url: optionalText("The page's URL, http or https. Its query and hash are not kept."),
    path: optionalText("Instead of `url`: the page's path, from the slash on."),
    visitorId: optionalText("The site's own id of the visitor, at most 500 characters. It is stored as a keyed hash."),
    ip: optionalText("Without `visitorId`: the visitor's address. It is never stored."),
    userAgent: optionalText("The visitor's User-Agent header: it tells people, AI agents and bots apart."),
    referrer: optionalText("The Referer header. Its host is kept."),
    accept: optionalText("The visitor's Accept header: it tells who asked for Markdown."),
    method: optionalText("The request's method; only `GET` counts. Default `GET`."),
    status: Type.Optional(
      Type.Integer({
        description:
          "The answer's status. 200, 203 and 304 count as views, 404 and 410 as missing pages, others not. Default 200.",
      }),
    ),
    timestamp: Type.Optional(
      Type.Union([Type.String(), Type.Number()], {
        description:
          "When it was: ISO 8601 with a time zone, or milliseconds since 1970. From 1971 to 10 minutes from now. Default now.",
      }),
    ),
    source: Type.Optional(oneOf(SOURCES, { description: "Where the view was seen. Default `api`." })),
    prefetch: Type.Optional(
      Type.Boolean({
        description: "The page was fetched ahead of its need, by `Sec-Purpose: prefetch`. Does not count.",
      }),
    ),
    globalPrivacyControl: Type.Optional(
      Type.Boolean({ description: "The visitor sent `Sec-GPC: 1`. The project's settings say whether it counts." }),
    ),
  },
  {
    $id: "CollectEvent",
    description:
      "One page view. Of an event that a browser sends without a key, only `url` or `path`, `referrer`, `status`, `method` and the two flags are read; the rest comes from the connection.",
  },
);

export const collectResultSchema = Type.Object(
  {
    accepted: Type.Integer({ description: "How many events are stored." }),
    rejected: Type.Array(
      Type.Object({
        index: Type.Integer({ description: "The event's place in the request, from 0." }),
        code: Type.Unsafe<RejectionCode>({ type: "string", enum: Object.keys(REJECTIONS), description: "Stable." }),
        message: Type.String({ description: "What is wrong, for a person." }),
      }),
      { description: "The others. Sending them again does not help." },
    ),
  },
  { $id: "CollectResult" },
);
