import type { Docent, Project, ProjectSettings } from "@docent/sdk";

type Changes = Parameters<Docent["projects"]["update"]>[1];
type Analytics = Required<NonNullable<ProjectSettings["analytics"]>>;

/** What the page edits: every setting with a value, the defaults where the project has none. */
export interface Values {
  name: string;
  ref: string;
  settings: {
    docsPath: string;
    allow: string[];
    instructions: string;
    archiveOnMerge: boolean;
    archiveOnClose: boolean;
    model: string;
    fallbackModel: string;
    models: string[];
    allowedRefs: string[];
    costMaxUsd: number | "";
    pullRequests: { draft: boolean; labels: string[]; reviewers: string[] };
    commits: { name: string; email: string; coAuthors: string[]; signOff: boolean; sign: boolean };
    webhookUrl: string;
    comments: "follow" | "ignore";
    contextRepositories: { name: string; url: string; ref: string }[];
    newMdxCode: "list" | "refuse";
    analytics: Omit<Analytics, "retentionDays"> & { retentionDays: number | "" };
  };
}

/** What holds where nothing is set: the service stores none of it. */
const DEFAULTS: Values["settings"] = {
  docsPath: "",
  allow: [],
  instructions: "",
  archiveOnMerge: false,
  archiveOnClose: false,
  model: "",
  fallbackModel: "",
  models: [],
  allowedRefs: [],
  costMaxUsd: "",
  pullRequests: { draft: false, labels: [], reviewers: [] },
  commits: { name: "", email: "", coAuthors: [], signOff: false, sign: false },
  webhookUrl: "",
  comments: "follow",
  contextRepositories: [],
  newMdxCode: "list",
  analytics: {
    origins: [],
    ai: "all",
    peopleSources: [],
    agentSources: [],
    saltRotation: "never",
    globalPrivacyControl: "count",
    retentionDays: "",
  },
};

export function valuesOf({ name, ref, settings }: Project): Values {
  const { contextRepositories = [], ...plain } = settings;
  return {
    name,
    // While its import has not told the branch.
    ref: ref === "HEAD" ? "" : ref,
    settings: {
      ...DEFAULTS,
      ...plain,
      pullRequests: { ...DEFAULTS.pullRequests, ...settings.pullRequests },
      commits: { ...DEFAULTS.commits, ...settings.commits },
      analytics: { ...DEFAULTS.analytics, ...settings.analytics },
      contextRepositories: contextRepositories.map(({ name: its, url, ref: branch = "" }) => ({
        name: its,
        url,
        ref: branch,
      })),
    },
  };
}

/** The fields whose values differ, as `settings.analytics.ai`. */
export function changedFields(before: Values, after: Values): string[] {
  const old = leavesOf(before);
  return [...leavesOf(after)].flatMap(([field, value]) => (same(old.get(field), value) ? [] : [field]));
}

/**
 * What to send, so that of the settings as they are now only those fields change: the service replaces them as a whole,
 * and somebody else may have changed others meanwhile.
 */
export function changesOf(fields: readonly string[], values: Values, now: Pick<Project, "settings">): Changes {
  const leaves = leavesOf(values);
  const defaults = leavesOf({ name: "", ref: "", settings: DEFAULTS });
  const changes: Changes = {};
  const settings = structuredClone(now.settings) as Tree;
  for (const field of fields) {
    const value = cleaned(leaves.get(field));
    if (field === "name" || field === "ref") changes[field] = String(value).trim();
    else place(settings, field.split(".").slice(1), same(value, defaults.get(field)) ? undefined : value);
  }
  if (fields.some((field) => field.startsWith("settings."))) changes.settings = settings;
  return changes;
}

type Tree = { [name: string]: unknown };

function leavesOf({ name, ref, settings }: Values): Map<string, unknown> {
  const leaves = new Map<string, unknown>([
    ["name", name],
    ["ref", ref],
  ]);
  for (const [setting, value] of Object.entries(settings)) {
    if (typeof value === "object" && !Array.isArray(value)) {
      for (const [inner, its] of Object.entries(value)) leaves.set(`settings.${setting}.${inner}`, its);
    } else {
      leaves.set(`settings.${setting}`, value);
    }
  }
  return leaves;
}

function place(tree: Tree, [name = "", ...inner]: string[], value: unknown): void {
  if (inner.length > 0) {
    const group = { ...(tree[name] as Tree | undefined) };
    place(group, inner, value);
    if (Object.keys(group).length === 0) delete tree[name];
    else tree[name] = group;
  } else if (value === undefined) delete tree[name];
  else tree[name] = value;
}

/** Without the branches of context repositories that were left empty. */
function cleaned(value: unknown): unknown {
  if (typeof value === "string") return value.trim();
  if (!Array.isArray(value)) return value;
  return value.map((item: unknown) =>
    typeof item === "object" && item !== null
      ? Object.fromEntries(Object.entries(item).filter(([, text]) => text !== ""))
      : item,
  );
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
