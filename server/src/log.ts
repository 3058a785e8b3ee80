import { pino, type DestinationStream, type Logger } from "pino";

export type Log = Pick<Logger, "info" | "warn" | "error">;

/** JSON lines, written at once, so that nothing is lost when the process is killed. */
export function createLog(level: string, destination: DestinationStream): Log {
  return pino({ level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}
