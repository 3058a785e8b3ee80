import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Browser } from "playwright-core";

/** The browser's package holds this platform's binary only. */
export const HAS_BROWSER = process.platform === "linux" && process.arch === "x64";

export interface TestBrowsers {
  /** A Chromium that finds every `*.example.com` on this machine, and that scripts take for a person's. */
  person: Browser;
  /** The same, which says that a program drives it. */
  automated: Browser;
  close(): Promise<void>;
}

/**
 * Real browsers from the package `@sparticuz/chromium`, with nothing from the machine. It is a headless shell, which neither
 * prerenders nor keeps a back/forward cache. While it starts, the process's directory for temporary files is another one.
 */
export async function launchBrowsers(): Promise<TestBrowsers> {
  const directory = await mkdtemp(join(tmpdir(), "docent-browser-"));
  const { executablePath, env } = await unpack(directory);
  const args = [
    // Tests run as root in containers, where Chromium's own sandbox cannot be set up.
    "--no-sandbox",
    "--no-zygote",
    "--disable-gpu",
    "--host-resolver-rules=MAP *.example.com 127.0.0.1",
  ];
  const person = await chromium.launch({
    executablePath,
    env,
    args: [...args, "--disable-blink-features=AutomationControlled"],
  });
  const automated = await chromium.launch({ executablePath, env, args: [...args, "--enable-automation"] });
  return {
    person,
    automated,
    async close() {
      await Promise.all([person.close(), automated.close()]);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/**
 * The package unpacks into `TMPDIR`, and takes a stale file there for its own; on what it takes for AWS Lambda it brings the
 * libraries (NSS and others) along that a bare machine lacks. Both are read while it is imported.
 */
async function unpack(directory: string): Promise<{ executablePath: string; env: Record<string, string> }> {
  const before = { ...process.env };
  Object.assign(process.env, { TMPDIR: directory, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x" });
  try {
    const { default: sparticuz } = await import("@sparticuz/chromium");
    const executablePath = await sparticuz.executablePath();
    await writeFile(join(directory, "fonts/fonts.conf"), fontConfiguration(directory));
    const entries = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return { executablePath, env: Object.fromEntries(entries) };
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  }
}

/** The package looks for its fonts in `/tmp/fonts` alone; a Chromium that finds no font at all ends at the first text field. */
function fontConfiguration(directory: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${directory}/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${directory}/fonts-cache</cachedir>
</fontconfig>
`;
}
