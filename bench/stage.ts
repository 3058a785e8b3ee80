import { join } from "node:path";
import type { Bench } from "./measurement.ts";
import { startModel, type Model } from "./model.ts";
import { toPrompt } from "./order.ts";
import { createProject, type BenchProject } from "./project.ts";
import { createSampleRepository, type SampleRepository } from "./repository/sample.ts";
import { scriptedModelSettings, startService, type Service } from "./service.ts";

/** A running service with an instant model and one project of the sample documentation. */
export interface Stage {
  service: Service;
  model: Model;
  sample: SampleRepository;
  project: BenchProject;
  /** The prompt of the next job: each revises another page, in turn. */
  nextOrder(options?: { hold?: boolean }): { id: string; prompt: string };
}

export async function setStage(bench: Bench, settings: Readonly<Record<string, string>> = {}): Promise<Stage> {
  const sample = await createSampleRepository(bench.root, join(bench.directory, "sample"));
  const model = await startModel(bench.processes);
  const service = await startService(bench, { ...scriptedModelSettings(model.url), ...settings });
  const project = await createProject(service, "Lantern", sample.directory);
  let orders = 0;
  return {
    service,
    model,
    sample,
    project,
    nextOrder(options = {}) {
      const edit = sample.edits[orders % sample.edits.length];
      if (edit === undefined) throw new Error("The sample documentation has no page to revise.");
      orders += 1;
      const id = `order-${orders}`;
      return { id, prompt: toPrompt({ id, edit, ...options }) };
    },
  };
}
