import { styleText } from "node:util";

type Format = Parameters<typeof styleText>[0];

/** Where a command reads and writes, and what the other end can show. */
export interface Terminal {
  write(text: string): void;
  writeError(text: string): void;
  readInput(): Promise<string>;
  /** The input as it comes, for what is too large to be read at once. */
  input: AsyncIterable<Uint8Array | string>;
  /** True when lines on stdout can be rewritten. */
  live: boolean;
  columns: number;
  style(format: Format, text: string): string;
  styleError(format: Format, text: string): string;
}

interface OutputStream {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
}

/** Colours follow https://no-color.org and `FORCE_COLOR`; without either, they are for terminals only. */
export function createTerminal(
  streams: { stdin: AsyncIterable<Uint8Array | string>; stdout: OutputStream; stderr: OutputStream },
  env: Readonly<Record<string, string | undefined>>,
): Terminal {
  const { stdin, stdout, stderr } = streams;
  const styled = (stream: OutputStream) => {
    const coloured = wantsColour(stream, env);
    return (format: Format, text: string): string =>
      coloured ? styleText(format, text, { validateStream: false }) : text;
  };
  return {
    write: (text) => void stdout.write(text),
    writeError: (text) => void stderr.write(text),
    readInput: () => readAll(stdin),
    input: stdin,
    live: stdout.isTTY === true && env["TERM"] !== "dumb",
    columns: stdout.columns ?? 80,
    style: styled(stdout),
    styleError: styled(stderr),
  };
}

function wantsColour(stream: OutputStream, env: Readonly<Record<string, string | undefined>>): boolean {
  if ((env["NO_COLOR"] ?? "") !== "") return false;
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined && forced !== "") return forced !== "0";
  return stream.isTTY === true && env["TERM"] !== "dumb";
}

async function readAll(stdin: AsyncIterable<Uint8Array | string>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}
