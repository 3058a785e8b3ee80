import type { JobEvent } from "@docent/sdk";
import { useEffect, useState } from "react";
import { connection } from "../../connection.ts";
import { docent } from "../../docent.ts";
import { createTranscript, type TranscriptItem } from "./transcript.ts";

/** How long events are gathered before they are shown together. */
const GATHER_MS = 50;

interface FollowedTranscript {
  items: readonly TranscriptItem[];
  error: Error | null;
}

interface FollowOptions {
  projectId: string;
  jobId: string;
  onEvent: (event: JobEvent) => void;
  onChange: (followed: FollowedTranscript) => void;
}

/**
 * A job's transcript as it happens.
 * @param onEvent hears each event, too; it stays the same function
 */
export function useTranscript(
  projectId: string,
  jobId: string,
  onEvent: (event: JobEvent) => void,
): FollowedTranscript {
  const [followed, setFollowed] = useState<FollowedTranscript>({ items: [], error: null });
  useEffect(() => followTranscript({ projectId, jobId, onEvent, onChange: setFollowed }), [projectId, jobId, onEvent]);
  return followed;
}

/**
 * Follows a job while the page is looked at. Hidden, it listens to nothing, since a browser opens only a few connections
 * to a service, and goes on where it was when it is looked at again; so it does after the service was away.
 * @returns ends it
 */
function followTranscript({ projectId, jobId, onEvent, onChange }: FollowOptions): () => void {
  const transcript = createTranscript();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let listening: AbortController | undefined;
  let hasEnded = false;

  const show = (error: Error | null): void => {
    clearTimeout(timer);
    timer = undefined;
    onChange({ items: transcript.items(), error });
  };

  async function listen(signal: AbortSignal): Promise<void> {
    const options = { after: transcript.position(), deltas: true, signal };
    for await (const event of docent.jobs.events(projectId, jobId, options)) {
      if (signal.aborted) return;
      transcript.add(event);
      if (event.type !== "delta") onEvent(event);
      timer ??= setTimeout(show, GATHER_MS, null);
    }
    if (!signal.aborted) hasEnded = true;
  }

  function restart(): void {
    listening?.abort();
    if (document.hidden || !connection.isUp() || hasEnded) return;
    listening = new AbortController();
    const { signal } = listening;
    listen(signal).catch((error: unknown) => {
      if (!signal.aborted) show(error instanceof Error ? error : new Error(String(error)));
    });
  }

  restart();
  document.addEventListener("visibilitychange", restart);
  const unsubscribe = connection.subscribe(restart);
  return () => {
    hasEnded = true;
    listening?.abort();
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", restart);
    unsubscribe();
  };
}
