import type { Terminal } from "./terminal.ts";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 80;
const HIDE_CURSOR = "\u001b[?25l";
const SHOW_CURSOR = "\u001b[?25h";
const CLEAR_LINE = "\r\u001b[2K";

/** One live line at the bottom, with finished lines above it. Where lines cannot be rewritten, only those are written. */
export interface Spinner {
  /** What is going on now. */
  show(text: string): void;
  /** Writes a finished line above the live one. */
  line(text: string): void;
  /** Removes the live line. */
  stop(): void;
}

export function createSpinner(terminal: Terminal): Spinner {
  if (!terminal.live) {
    return { show: () => undefined, line: (text) => terminal.write(`${text}\n`), stop: () => undefined };
  }
  let text = "";
  let frame = 0;
  let timer: ReturnType<typeof setInterval> | undefined;
  const draw = (): void => {
    const mark = terminal.style("cyan", FRAMES[frame % FRAMES.length] ?? "");
    terminal.write(`${CLEAR_LINE}${mark} ${terminal.style("dim", shorten(text, terminal.columns - 3))}`);
    frame += 1;
  };
  return {
    show(next) {
      text = next;
      if (timer === undefined) {
        terminal.write(HIDE_CURSOR);
        timer = setInterval(draw, FRAME_MS);
      }
      draw();
    },
    line(finished) {
      terminal.write(`${timer === undefined ? "" : CLEAR_LINE}${finished}\n`);
      if (timer !== undefined) draw();
    },
    stop() {
      if (timer === undefined) return;
      clearInterval(timer);
      timer = undefined;
      terminal.write(`${CLEAR_LINE}${SHOW_CURSOR}`);
    },
  };
}

/** The last words of a text, in one line of at most this many characters; what is left out is marked. */
export function lastWords(text: string, width: number): string {
  const characters = [...text.replaceAll(/[\p{Cc}\s]+/gu, " ").trim()];
  if (characters.length <= width) return characters.join("");
  const end = characters.slice(characters.length - Math.max(0, width - 1)).join("");
  // A word that is cut begins nowhere, but a single long one is better than nothing.
  const space = end.indexOf(" ");
  return `…${space === -1 ? end : end.slice(space + 1)}`;
}

/** The text in at most this many characters, the cut marked. */
export function shorten(text: string, width: number): string {
  const characters = [...text];
  return characters.length <= width ? text : `${characters.slice(0, Math.max(0, width - 1)).join("")}…`;
}
