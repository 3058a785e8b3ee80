import { Type } from "typebox";
import { reference, timestamp } from "./schema.ts";

/** Views in one request; the command line sends some 40,000. */
const VIEWS_MAX = 200_000;
/** A whole disk. JSON's numbers are exact up to 2^53. */
const BYTES_MAX = 2 ** 53 - 1;

const sha256 = (description: string) =>
  Type.String({ pattern: "^[0-9a-f]{64}$", description: `${description} SHA-256, 64 hexadecimal digits.` });

const pointSchema = (description: string) =>
  Type.Object(
    {
      bytes: Type.Integer({ minimum: 0, maximum: BYTES_MAX, description: "Uncompressed bytes before it." }),
      sha256: sha256("Of those bytes."),
    },
    { description },
  );

const texts = (description: string) =>
  Type.Array(Type.String({ maxLength: 100_000 }), { maxItems: VIEWS_MAX, description });

const positions = (description: string) =>
  Type.Array(Type.Integer({ minimum: 0, maximum: VIEWS_MAX }), { maxItems: VIEWS_MAX, description });

export const logImportSchema = Type.Object(
  {
    id: Type.String({ description: "The run's name, as its client chose it." }),
    bytes: Type.Integer({ description: "How many of the log's uncompressed bytes are imported." }),
    sha256: sha256("Of those bytes."),
    createdAt: timestamp("When the run began."),
    updatedAt: timestamp("When it came this far."),
  },
  { $id: "LogImport", description: "How far one run of an import came." },
);

export const logImportListSchema = Type.Object(
  { imports: Type.Array(reference(logImportSchema), { description: "The furthest first." }) },
  { $id: "LogImportList" },
);

export const logChunkResultSchema = Type.Object(
  {
    bytes: Type.Integer({ description: "How far the log is imported now, at least." }),
    accepted: Type.Integer({ description: "Views of this chunk that are stored." }),
    rejected: Type.Array(
      Type.Object({
        code: Type.String({ description: "Why, for a program. Stable." }),
        message: Type.String({ description: "Why, for a person." }),
        count: Type.Integer({ description: "Views that are not stored for this reason." }),
        example: Type.Integer({ description: "The first of them, by its number in the chunk, from 0." }),
      }),
    ),
    repeated: Type.Boolean({ description: "The chunk was stored by an earlier request; nothing was counted again." }),
  },
  { $id: "LogChunkResult" },
);

export const logChunkBodySchema = Type.Object({
  firstLine: sha256("Of the log's first line that is no header, without its line end."),
  from: pointSchema(
    "The point where this chunk begins: the end of the one before, or of an import that is already known.",
  ),
  to: pointSchema("The point where it ends."),
  others: Type.Optional(
    Type.Array(Type.String({ maxLength: 80 }), {
      maxItems: 10_000,
      description: "Imports further on than `from` whose bytes were compared and are another log's.",
    }),
  ),
  addresses: texts("The clients' addresses, each once. They are hashed and not stored."),
  userAgents: texts("User agents, each once."),
  pages: Type.Array(
    Type.Object({
      path: Type.String({ maxLength: 100_000, description: "The path, or the URL." }),
      status: Type.Integer({ minimum: 0, maximum: 999, description: "What it was answered with." }),
      accept: Type.Optional(
        Type.String({ maxLength: 1_000, description: "`text/markdown` where Markdown was asked for or sent." }),
      ),
    }),
    { maxItems: VIEWS_MAX, description: "Pages, each once for each way of answering it." },
  ),
  referrers: texts("Hosts or URLs that linked here, each once, or an empty text."),
  views: Type.Object(
    {
      seconds: Type.Array(Type.Integer({ minimum: -BYTES_MAX, maximum: BYTES_MAX }), {
        maxItems: VIEWS_MAX,
        description: "When: seconds since the view before, since 1970 for the first.",
      }),
      addresses: positions("Positions in `addresses`."),
      userAgents: positions("Positions in `userAgents`."),
      pages: positions("Positions in `pages`."),
      referrers: positions("Positions in `referrers`."),
    },
    { description: "Columns of the same length, with one entry a view." },
  ),
  globalPrivacyControl: Type.Optional(
    positions("The views, by their number from 0, whose readers sent Global Privacy Control."),
  ),
});

export const logImportQuerySchema = Type.Object({
  firstLine: sha256("Of the log's first line that is no header, without its line end."),
});

export const importParametersSchema = Type.Object({
  projectId: Type.String({ description: "The project's id." }),
});

export const importChunkParametersSchema = Type.Object({
  projectId: Type.String({ description: "The project's id." }),
  importId: Type.String({
    description: "A name for this run of the import, made by the client: `imp_` and up to 64 letters and digits.",
  }),
});
