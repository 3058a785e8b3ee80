import { Type } from "typebox";
import { nullable, oneOf } from "./schema.ts";

export const changedFileSchema = Type.Object(
  {
    path: Type.String({ description: "Where it is now; where it was, for a deleted file." }),
    oldPath: nullable(Type.String({ description: "Where it was before; null unless it was moved." })),
    status: oneOf(["added", "deleted", "modified", "renamed", "type-changed"]),
    additions: nullable(Type.Integer({ description: "Added lines; null for a binary file." })),
    deletions: nullable(Type.Integer({ description: "Removed lines; null for a binary file." })),
  },
  { $id: "ChangedFile", description: "A file that a job or a pull request changes." },
);

export const fileContentsSchema = Type.Object(
  {
    path: Type.String(),
    oldContent: nullable(Type.String({ description: "Its text before; null where it was not there or is no text." })),
    newContent: nullable(Type.String({ description: "Its text now; null where it is not there or is no text." })),
  },
  { $id: "FileContents", description: "A changed file before and after. One that was moved is named by its new path." },
);

export const fileQuerySchema = Type.Object({
  path: Type.String({ minLength: 1, maxLength: 4096, format: "text", description: "The file's `path`." }),
});
