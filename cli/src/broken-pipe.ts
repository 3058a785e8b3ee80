/** What shells report of a program that a closed pipe ended: 128 and the number of SIGPIPE. */
export const BROKEN_PIPE_EXIT_CODE = 141;

interface OutputStream {
  on(event: "error", listener: (error: Error) => void): unknown;
}

/**
 * Calls once when whoever reads the output has read enough, as `docent visitors | head -1` does: Node ignores SIGPIPE and would
 * end with a stack trace. Other errors of the stream, such as a full disk, are thrown as if nobody listened.
 */
export function onBrokenPipe(streams: readonly OutputStream[], end: () => void): void {
  let isBroken = false;
  for (const stream of streams) {
    stream.on("error", (error) => {
      if (!("code" in error && error.code === "EPIPE")) throw error;
      if (isBroken) return;
      isBroken = true;
      end();
    });
  }
}
