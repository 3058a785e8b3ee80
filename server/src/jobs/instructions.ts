import type { Mirror } from "../workspace/mirror.ts";
import type { JobState } from "./job-state.ts";

const FILES = [".docent/AGENTS.md", ".mintlify/AGENTS.md", "AGENTS.md"];
const BYTES_MAX = 32 * 1024;

/**
 * What the project tells the agent: its own setting, then the first instructions file in the documentation's folder or
 * at the root. The file is read from the project's branch, never from a job's own, so that no job can rewrite it.
 */
export async function readInstructions({ job, project }: JobState, mirror: Mirror): Promise<string[]> {
  const own = project.settings.instructions ?? "";
  const commit = await mirror.fetchBranch(job.ref);
  if (commit === undefined) return [own];
  const entries = new Map((await mirror.entries(commit)).map((entry) => [entry.path, entry]));
  const folders = new Set([project.settings.docsPath ?? "", ""]);
  for (const folder of folders) {
    for (const file of FILES) {
      const entry = entries.get(folder === "" ? file : `${folder}/${file}`);
      if (entry === undefined || !entry.mode.startsWith("100")) continue;
      const bytes = await mirror.read(entry.oid);
      if (bytes === undefined) continue;
      const text = new TextDecoder().decode(bytes.subarray(0, BYTES_MAX));
      return [own, text];
    }
  }
  return [own];
}
