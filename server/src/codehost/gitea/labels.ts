import type { GiteaApi } from "./api.ts";
import { GiteaRefusal } from "./refusal.ts";

/** Gitea wants one. A neutral grey, which people change as they like. */
const COLOR = "#cccccc";

interface Label {
  id: number;
  name: string;
}

/**
 * The ids of the labels: the repository's, then its organization's. One that is nowhere is made in the repository, or
 * left out where the token may not.
 */
export async function findLabelIds(
  api: GiteaApi,
  { path, owner }: { path: string; owner: string },
  names: readonly string[],
): Promise<number[]> {
  if (names.length === 0) return [];
  const ids = new Map<string, number>();
  await collect(api, `${path}/labels`, ids);
  if (names.some((name) => !ids.has(name))) {
    // 404 for a person, 403 without the scope read:organization.
    await unlessRefused(collect(api, `/orgs/${encodeURIComponent(owner)}/labels`, ids));
  }
  for (const name of names) {
    if (ids.has(name)) continue;
    const made = await unlessRefused(api.ask<Label>("POST", `${path}/labels`, { name, color: COLOR }));
    if (made !== undefined) ids.set(name, made.id);
  }
  return names.flatMap((name) => ids.get(name) ?? []);
}

async function collect(api: GiteaApi, path: string, ids: Map<string, number>): Promise<void> {
  for await (const labels of api.pages<Label>(path)) {
    for (const { id, name } of labels) if (!ids.has(name)) ids.set(name, id);
  }
}

async function unlessRefused<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof GiteaRefusal) return undefined;
    throw error;
  }
}
