import type { Config } from "./config.ts";
import type { RunningService } from "./service.ts";

/**
 * Says on the terminal what runs and where; the log is JSON on the other stream. The link to the first owner's account
 * is shown here and nowhere else.
 */
export function writeBanner(
  output: { write(text: string): unknown },
  config: Config,
  { url, firstOwnerUrl }: RunningService,
): void {
  const lines = [
    url === null ? "Docent works on jobs." : `Docent is ready at ${url}`,
    ...(url === null ? [] : [`  API reference  ${url}/reference`]),
    `  data           ${config.data}`,
    `  database       ${config.databaseUrl === null ? "embedded PostgreSQL" : "DATABASE_URL"}`,
    `  model          ${config.model}`,
  ];
  if (config.model === "docent:offline") {
    const seen = config.modelKeysSeen.join(", ");
    if (seen !== "")
      lines.push(`                 ${seen} is set but not used: set DOCENT_MODEL to use a language model.`);
  }
  if (config.process === "serve-no-worker") lines.push("  jobs           wait for `docent worker` processes");
  for (const name of config.unknownVariables) lines.push(`  note           ${name} is set, but nothing reads it.`);
  if (firstOwnerUrl !== null) lines.push("", `Make the owner's account: ${firstOwnerUrl}`);
  output.write(`${lines.join("\n")}\n`);
}
