import { Webhook } from "standardwebhooks";
import type { WebhookPayload } from "../../database/schema.ts";
import { ForbiddenAddressError } from "../../network/checked-connector.ts";
import type { CheckedAnswer, CheckedRequest } from "../../network/network.ts";
import { parseRetryAfter } from "./retry.ts";

/** From the connection to the last byte that is read. */
const TIMEOUT_MS = 15_000;

export interface Delivery {
  id: string;
  payload: WebhookPayload;
}

export type Attempt =
  | { delivered: { status: number } }
  | {
      failed: {
        /** For the log of deliveries. */
        error: string;
        /** Null when no answer came. */
        status: number | null;
        retryAfterMs: number | null;
        /** The receiver wants no more of these. */
        isGone: boolean;
      };
    };

/**
 * Posts one delivery as Standard Webhooks has it: id, timestamp and one signature for each secret. Anything but a 2xx
 * is a failure; redirects are not followed.
 */
export async function sendDelivery(
  dependencies: { request: CheckedRequest; clock: () => Date; timeoutMs?: number | undefined },
  { id, payload }: Delivery,
  { url, secrets, signal }: { url: URL; secrets: readonly string[]; signal: AbortSignal },
): Promise<Attempt> {
  const { request, timeoutMs = TIMEOUT_MS } = dependencies;
  const now = dependencies.clock();
  const { type, timestamp, data } = payload;
  const body = JSON.stringify({ type, timestamp, data });
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await request(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": "Docent",
        "webhook-id": id,
        "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
        "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(" "),
      },
      body,
      signal: AbortSignal.any([signal, timeout]),
    });
    return readAnswer(answer, now);
  } catch (error) {
    signal.throwIfAborted();
    const reason = timeout.aborted ? `no answer within ${timeoutMs / 1000} s` : describe(error);
    return { failed: { error: `${url.host}: ${reason}.`, status: null, retryAfterMs: null, isGone: false } };
  }
}

function readAnswer({ status, headers }: CheckedAnswer, now: Date): Attempt {
  if (status >= 200 && status < 300) return { delivered: { status } };
  const error =
    status === 410
      ? "It answered 410: it wants no more of these."
      : status >= 300 && status < 400
        ? `It answered ${status}, a redirect, which is not followed. Give the URL where it ends.`
        : `It answered ${status}.`;
  const retryAfterMs = parseRetryAfter(headers["retry-after"], now);
  return { failed: { error, status, retryAfterMs, isGone: status === 410 } };
}

/** What Node's and undici's codes mean, in words. */
const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: "its name does not resolve",
  EAI_AGAIN: "its name does not resolve at the moment",
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection broke",
  UND_ERR_SOCKET: "the connection broke",
  UND_ERR_CONNECT_TIMEOUT: "the connection took too long",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is signed by itself (DOCENT_CA_FILE names authorities to trust)",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate is of an unknown authority (DOCENT_CA_FILE names authorities to trust)",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    "its certificate is of an unknown authority (DOCENT_CA_FILE names authorities to trust)",
  CERT_HAS_EXPIRED: "its certificate has expired",
};

function describe(error: unknown): string {
  if (error instanceof ForbiddenAddressError) {
    return "it leads to a private address, which this server does not send to (DOCENT_WEBHOOKS_PRIVATE allows some)";
  }
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return REASONS[code] ?? `the request failed${code === "" ? "" : ` (${code})`}`;
}
