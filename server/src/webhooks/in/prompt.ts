import type { CodeHostEvent } from "../../codehost/webhook.ts";

export type Comment = Extract<CodeHostEvent, { type: "comment" }>;

/** What a message may hold; https://docs.github.com and GitLab allow comments up to a million. */
export const PROMPT_CHARACTERS_MAX = 100_000;

/** A comment as a message to the job: who says it, where, and the words. */
export function commentPrompt({ author, place, isReview, url, text }: Comment): string {
  const where =
    place === null
      ? isReview
        ? " in a review of the pull request"
        : " on the pull request"
      : ` on ${place.path}${place.line === null ? "" : `, line ${place.line}`} of the pull request`;
  const head = `@${author.login} says${where} (${url}):\n\n`;
  // PostgreSQL stores neither NUL nor half a surrogate pair, and JSON can hold both.
  return cut((head + text.trim()).toWellFormed().replaceAll("\0", "\uFFFD"));
}

function cut(text: string): string {
  const characters = [...text];
  if (characters.length <= PROMPT_CHARACTERS_MAX) return text;
  const end = "\n\n(The rest of the comment is left out: it is too long.)";
  return characters.slice(0, PROMPT_CHARACTERS_MAX - end.length).join("") + end;
}
