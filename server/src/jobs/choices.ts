import type { ProjectSettings } from "../database/schema.ts";
import { matchPaths } from "../workspace/path-glob.ts";
import type { JobCreation } from "./job.ts";

/** What a new job asks for and its project does not allow, naming the field; undefined when all is allowed. */
export function choiceProblem(
  project: { ref: string; settings: ProjectSettings },
  serverModel: string,
  { ref, model }: Omit<JobCreation, "prompt">,
): string | undefined {
  const { allowedRefs = [], models = [], model: own = serverModel } = project.settings;
  if (ref !== undefined && ref !== project.ref) {
    const matching = matchPaths([ref], allowedRefs, { dot: true });
    if ("refused" in matching || !matching.has(ref)) {
      const allowed = [project.ref, ...allowedRefs].join(", ");
      return `ref: a job of this project may start from ${allowed}. The project's setting allowedRefs names more.`;
    }
  }
  if (model !== undefined && ![own, ...models].includes(model)) {
    return `model: a job of this project may use ${[own, ...models].join(", ")}. The project's setting models names more.`;
  }
  return undefined;
}
