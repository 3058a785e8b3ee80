import type { PullRequestState } from "./codehost.ts";

/** What a code host tells of, as far as it concerns Docent. */
export type CodeHostEvent =
  | {
      type: "comment";
      /** The host's own name of the repository, as the project stores it. */
      repository: string;
      pullRequest: number;
      /** Its page, for the transcript. */
      url: string;
      author: { login: string; isBot: boolean };
      text: string;
      /** For a review comment on a line. */
      place: { path: string; line: number | null } | null;
      /** Part of a review that asks for something: it counts without a mention. An approval's words do not. */
      isReview: boolean;
    }
  | { type: "pull-request"; repository: string; pullRequest: number; state: PullRequestState }
  /** Well signed, and nothing to do; why, for the answer. */
  | { type: "ignored"; reason: string };

export interface CodeHostDelivery {
  /** The host's id of the delivery: the same one when it is sent again. */
  id: string;
  events: CodeHostEvent[];
}

export interface CodeHostWebhookRequest {
  /** In lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  /** The bytes as they came: signatures are over them. */
  body: Buffer;
  /** The project's webhook secret. */
  secret: string;
}

/** Checks the signature in constant time, then reads the body. `refused`: the signature is missing or wrong, or the body is not the host's. */
export type ReadCodeHostWebhook = (request: CodeHostWebhookRequest) => Promise<CodeHostDelivery | { refused: string }>;
