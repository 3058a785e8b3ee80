import type { Terminal } from "../terminal.ts";

const REDRAW_MS = 100;
const BAR_WIDTH = 24;
const CLEAR_LINE = "\r\u001b[2K";

/** What is going on with one log after the other: a line that is rewritten on a terminal, and nothing elsewhere. */
export interface Progress {
  /** @param size Bytes as stored, null when unknown. @param bytesPassed How many of these are read. */
  start(log: { name: string; size: number | null; bytesPassed: () => number }): void;
  lines(count: number): void;
  /** Says why it does not go on for a while. */
  wait(reason: string): void;
  stop(): void;
}

export function createProgress(terminal: Terminal, now: () => Date): Progress {
  let log: Parameters<Progress["start"]>[0] | undefined;
  let startedAt = 0;
  let drawnAt = 0;
  let lines = 0;
  let isDrawn = false;

  function draw(text: string): void {
    isDrawn = true;
    terminal.write(`${CLEAR_LINE}${[...text].slice(0, terminal.columns - 1).join("")}`);
  }

  return {
    start(next) {
      log = next;
      startedAt = now().getTime();
      drawnAt = startedAt;
      lines = 0;
    },
    lines(count) {
      lines = count;
      const time = now().getTime();
      if (!terminal.live || log === undefined || time - drawnAt < REDRAW_MS) return;
      drawnAt = time;
      const seconds = (time - startedAt) / 1000;
      draw(formatProgress({ name: log.name, size: log.size, bytesPassed: log.bytesPassed(), lines, seconds }));
    },
    wait(reason) {
      if (terminal.live) draw(`Waiting: ${reason}`);
      else terminal.writeError(`Waiting: ${reason}\n`);
    },
    stop() {
      if (isDrawn) terminal.write(CLEAR_LINE);
      isDrawn = false;
    },
  };
}

/** `access.log  ━━━━━━━━────────  52 %  1,234,567 lines  345,678/s  3 s left`. */
export function formatProgress(progress: {
  name: string;
  size: number | null;
  bytesPassed: number;
  lines: number;
  seconds: number;
}): string {
  const { name, size, bytesPassed, lines, seconds } = progress;
  const rate =
    lines === 0
      ? "comparing with what is imported"
      : `${formatCount(lines)} lines  ${formatCount(lines / Math.max(seconds, 0.001))}/s`;
  if (size === null || size === 0) return `${name}  ${rate}`;
  const share = Math.min(1, bytesPassed / size);
  const filled = Math.round(share * BAR_WIDTH);
  const bar = "━".repeat(filled) + "─".repeat(BAR_WIDTH - filled);
  const left = share === 0 ? "" : `  ${formatDuration((seconds / share) * (1 - share))} left`;
  return `${name}  ${bar}  ${Math.floor(share * 100)} %  ${rate}${left}`;
}

export function formatCount(count: number): string {
  return Math.round(count).toLocaleString("en-US");
}

export function formatDuration(seconds: number): string {
  if (seconds < 1) return "less than 1 s";
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3600)} h`;
}
