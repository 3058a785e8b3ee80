import { objectFormatOf, objectId } from "../git/object-writer.ts";

/** The id that git gives a file's content, in the object format of `likeId`. */
export function blobId(content: Uint8Array, likeId: string): string {
  return objectId("blob", content, objectFormatOf(likeId));
}
