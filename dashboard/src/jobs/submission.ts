import { useUser } from "../session/session-context.tsx";

interface Submission {
  body: string;
  key: string;
}

export interface Submissions {
  /** The key to send this with: the same as long as the same is sent and no answer has come, also after a reload. */
  keyFor(body: object): string;
  /** It was answered: the same again is something new. */
  done(): void;
}

/**
 * The idempotency keys of what is sent from one form, so that a second click, or sending again after the answer was lost,
 * makes nothing twice.
 */
export function useSubmissions(name: string): Submissions {
  const storageKey = `docent submission ${useUser().id} ${name}`;
  return {
    keyFor(request) {
      const body = JSON.stringify(request);
      const before = read(storageKey);
      if (before?.body === body) return before.key;
      const key = newKey();
      write(storageKey, { body, key });
      return key;
    },
    done: () => write(storageKey, null),
  };
}

/** Where the browser keeps nothing, a key holds as long as the page. */
const unstored = new Map<string, Submission>();

function read(storageKey: string): Submission | undefined {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? "null");
    if (stored !== null) return stored as Submission;
  } catch {
    // As if nothing had been stored.
  }
  return unstored.get(storageKey);
}

function write(storageKey: string, submission: Submission | null): void {
  if (submission === null) unstored.delete(storageKey);
  else unstored.set(storageKey, submission);
  try {
    if (submission === null) sessionStorage.removeItem(storageKey);
    else sessionStorage.setItem(storageKey, JSON.stringify(submission));
  } catch {
    // What was stored before must not count for something else.
    try {
      sessionStorage.removeItem(storageKey);
    } catch {
      // There is no storage at all.
    }
  }
}

/** `crypto.randomUUID` is missing on pages that were not served over TLS. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
