import { errorFromResponse } from "../error.ts";
import { path } from "../request.ts";

/** A view as the collect endpoint takes it. */
export interface SentView {
  path: string;
  ip: string;
  userAgent: string;
  referrer?: string;
  accept?: string;
  method: "GET";
  /** Absent where the answer could not be seen. */
  status?: number;
  /** ISO 8601. */
  timestamp: string;
  source: "middleware";
  globalPrivacyControl?: true;
}

export type PostOutcome =
  /** The service has them for good; some of them it does not count, and never will. */
  | { kind: "stored"; accepted: number; rejected: number }
  /** Sending them again would not help. */
  | { kind: "refused"; problem: string }
  | { kind: "failed"; problem: string; retryAfterMs: number | undefined };

export type PostViews = (views: readonly SentView[], signal: AbortSignal) => Promise<PostOutcome>;

export interface PostOptions {
  /** Where Docent is reached, such as `https://docent.example.com`. */
  baseUrl: string;
  projectId: string;
  /** A key of the project with the scope `collect`. */
  apiKey: string;
  /** Used instead of the global `fetch`. */
  fetch?: typeof fetch | undefined;
}

/** Sends views to the collect endpoint. Never rejects. */
export function createPostViews(options: PostOptions): PostViews {
  const base = options.baseUrl.replace(/\/+$/, "");
  const url = `${base}${path`/v1/collect/${options.projectId}`}`;
  const headers = { Authorization: `Bearer ${options.apiKey}`, "Content-Type": "application/json" };
  const send = options.fetch ?? globalThis.fetch.bind(globalThis);

  return async (views, signal) => {
    try {
      const body = JSON.stringify({ events: views });
      // A redirect would turn the POST into a GET.
      const response = await send(url, { method: "POST", headers, body, redirect: "manual", signal });
      if (response.ok) return readAnswer(await response.text(), base);
      const retryAfterMs = readRetryAfter(response.headers.get("retry-after"));
      const { message } = await errorFromResponse(response);
      const problem = `${base} answered ${response.status}: ${message}`;
      return isTemporary(response.status) ? { kind: "failed", problem, retryAfterMs } : { kind: "refused", problem };
    } catch (error) {
      return { kind: "failed", problem: `${base} cannot be reached: ${reasonOf(error)}`, retryAfterMs: undefined };
    }
  };
}

function readAnswer(text: string, base: string): PostOutcome {
  try {
    const answer: unknown = JSON.parse(text);
    if (typeof answer === "object" && answer !== null && "accepted" in answer && typeof answer.accepted === "number") {
      const rejected = "rejected" in answer && Array.isArray(answer.rejected) ? answer.rejected.length : 0;
      return { kind: "stored", accepted: answer.accepted, rejected };
    }
  } catch {
    // What is not JSON is not from Docent either.
  }
  return { kind: "refused", problem: `${base} did not answer like Docent: is the baseUrl right?` };
}

function isTemporary(status: number): boolean {
  return status >= 500 || status === 408 || status === 425 || status === 429;
}

/** Seconds or a date, in milliseconds from now. */
function readRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const milliseconds = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : undefined;
}

/** Node's fetch says only "fetch failed"; the reason is one or two causes down. */
function reasonOf(error: unknown): string {
  let reason = error;
  while (reason instanceof Error && reason.cause instanceof Error) reason = reason.cause;
  if (reason instanceof Error && "code" in reason && typeof reason.code === "string") return reason.code;
  return reason instanceof Error ? reason.message : String(reason);
}
