import { ModelNameError, type Models, type ResolvedModel } from "../agent/models/models.ts";
import type { JobState } from "./job-state.ts";

/** The models that may work on a job, the one to ask first at the front; never empty. */
export type JobModels = readonly [ResolvedModel, ...ResolvedModel[]];

/**
 * The job's own model, and the one that stands in for it. One whose price is not known has no part in a job whose cost is limited.
 * @throws ModelNameError when none can be used, for the reason why the job's own cannot
 */
export async function openJobModels(
  { models, fallback }: { models: Models; fallback: string | null },
  { job, project }: JobState,
  costMaxUsd: number | undefined,
): Promise<JobModels> {
  const opened: ResolvedModel[] = [];
  let problem: unknown;
  for (const name of new Set([job.model, project.settings.fallbackModel ?? fallback ?? job.model])) {
    try {
      const model = await models.resolve(name, { projectId: project.id });
      if (costMaxUsd !== undefined) requirePrice(model, costMaxUsd);
      opened.push(model);
    } catch (error) {
      if (!(error instanceof ModelNameError)) throw error;
      problem ??= error;
    }
  }
  const [first, ...rest] = opened;
  if (first === undefined) throw problem;
  return [first, ...rest];
}

function requirePrice({ name, facts }: ResolvedModel, costMaxUsd: number): void {
  if (facts.costNanoUsd({ inputTokens: 0, outputTokens: 0 }) !== null) return;
  throw new ModelNameError(
    `The job may cost $${costMaxUsd}, and the price of ${name} is not known. Set it in DOCENT_MODEL_PRICES, or take away the limit (DOCENT_JOB_COST_MAX_USD, the project's costMaxUsd).`,
  );
}
