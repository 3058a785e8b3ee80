import { Option, type Command } from "commander";
import type { Docent, Project, ProjectSettings } from "@docent/sdk";
import type { CommandContext } from "./context.ts";
import { connectAsAdmin, requireProject } from "../connection.ts";
import { CommandError } from "../failure.ts";
import { formatFields } from "../table.ts";
import { readCredentialOptions, withCredentialOptions, type CredentialOptions } from "./code-host.ts";
import { unknownSettings, withSettings } from "./settings.ts";
import { json, parseCount, withAdminOptions, type AdminOptions } from "./option.ts";

type AnalyticsSettings = NonNullable<ProjectSettings["analytics"]>;
type Source = NonNullable<AnalyticsSettings["peopleSources"]>[number];

interface UpdateOptions extends AdminOptions, CredentialOptions {
  set?: string[];
  unset?: string[];
  project?: string;
  name?: string;
  ref?: string;
  /** Or `NONE` alone. */
  origin?: string[];
  ai?: AnalyticsSettings["ai"];
  peopleSource?: (Source | typeof ALL)[];
  agentSource?: (Source | typeof ALL)[];
  saltRotation?: AnalyticsSettings["saltRotation"];
  globalPrivacyControl?: AnalyticsSettings["globalPrivacyControl"];
  retentionDays?: number | typeof FOREVER;
}

const NONE = "none";
const ALL = "all";
const FOREVER = "forever";
const SOURCES = ["tracker", "middleware", "log", "api", ALL];

/** `docent project update`: the service replaces settings as a whole, so what is not named here is sent along as it is. */
export function addProjectUpdateCommand(group: Command, { terminal, env, fetch }: CommandContext): void {
  withCredentialOptions(withAdminOptions(group.command("update")))
    .description("change a project: its name, its branch, its settings; the rest stays as it is")
    .option("--project <id>", "the project (default: DOCENT_PROJECT)")
    .option("--name <name>", "what people call it")
    .option("--ref <branch>", "the branch that jobs start from")
    .option(
      "--origin <origin>",
      "a site whose browsers may report views, like https://docs.example.com; given several times for several, in place of those before, or none",
      addTo,
    )
    .addOption(new Option("--ai <which>", "which AI agents count as AI").choices(["all", "assistants"]))
    .addOption(sourceOption("--people-source <source>", "people"))
    .addOption(sourceOption("--agent-source <source>", "AI agents"))
    .addOption(
      new Option("--salt-rotation <when>", "when everybody becomes a new visitor").choices([
        "never",
        "monthly",
        "daily",
      ]),
    )
    .addOption(
      new Option("--global-privacy-control <what>", "what becomes of views of readers who send it").choices([
        "count",
        "drop",
      ]),
    )
    .option("--retention-days <days>", "how long views are kept, today included, or forever", (text) =>
      text === FOREVER ? FOREVER : parseCount(text),
    )
    .option(
      "--set <field=value>",
      "a setting, as the API names it, like model=anthropic:claude-sonnet-5-5 or pullRequests.draft=true; may be given several times",
      addTo,
    )
    .option("--unset <field>", "what holds without the setting; may be given several times", addTo)
    .addHelpText(
      "after",
      "\nExamples:\n  $ docent project update --origin https://docs.example.com\n" +
        "  $ docent project update --set docsPath=docs --set 'allowedRefs=[\"release/*\"]' --unset model\n" +
        "  $ docent project update --people-source tracker --agent-source log --retention-days 365\n",
    )
    .action(async (options: UpdateOptions) => {
      const projectId = requireProject(options, env);
      const { projects } = connectAsAdmin(options, env, fetch);
      const analytics = readAnalytics(options);
      const changes: Parameters<Docent["projects"]["update"]>[1] = {};
      if (options.name !== undefined) changes.name = options.name;
      if (options.ref !== undefined) changes.ref = options.ref;
      Object.assign(changes, await readCredentialOptions(terminal, options));
      const { set = [], unset = [] } = options;
      if (Object.keys(analytics).length + set.length + unset.length > 0) {
        const { settings } = await projects.get(projectId);
        const counted =
          Object.keys(analytics).length === 0
            ? settings
            : { ...settings, analytics: withChanges(settings.analytics ?? {}, analytics) };
        changes.settings = withSettings(counted, set, unset);
      }
      if (Object.keys(changes).length === 0) {
        throw new CommandError("What is to change?", "Name it, as in --origin https://docs.example.com.");
      }
      const project = await projects.update(projectId, changes);
      const unknown = unknownSettings(project.settings, set);
      if (unknown.length > 0) {
        throw new CommandError(
          `The service knows no setting ${unknown.join(", ")}. Everything else was changed.`,
          "docs/guides/projects.md has all settings, /reference of the service too.",
        );
      }
      terminal.write(options.json === true ? json(project) : formatFields(terminal, describe(project)));
    });
}

/** What was asked for; null stands for what holds without the setting. */
type Changes = { [Name in keyof AnalyticsSettings]?: AnalyticsSettings[Name] | null | undefined };

function readAnalytics(options: UpdateOptions): Changes {
  const changes: Changes = {
    origins: readList(options.origin, NONE),
    ai: options.ai,
    peopleSources: readList(options.peopleSource, ALL),
    agentSources: readList(options.agentSource, ALL),
    saltRotation: options.saltRotation,
    globalPrivacyControl: options.globalPrivacyControl,
    retentionDays: options.retentionDays === FOREVER ? null : options.retentionDays,
  };
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

function readList<Item extends string>(items: (Item | typeof ALL)[] | undefined, empty: string) {
  if (items === undefined || items.every((item) => item !== empty)) return items as Item[] | undefined;
  if (items.length === 1) return null;
  throw new CommandError(`"${empty}" stands alone: leave out either it or the others.`);
}

function withChanges(before: AnalyticsSettings, changes: Changes): AnalyticsSettings {
  const kept = Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null);
  return Object.fromEntries(kept);
}

function describe({ id, name, ref, settings: { analytics = {}, ...settings } }: Project): [string, string][] {
  const its = Object.entries({ ...settings, ...analytics }).map(([setting, value]): [string, string] => [
    setting,
    [value]
      .flat()
      .map((each) => (typeof each === "object" ? JSON.stringify(each) : String(each)))
      .join(", "),
  ]);
  return [["id", id], ["name", name], ["ref", ref], ...its];
}

function addTo(item: string, items: string[] = []): string[] {
  return [...items, item];
}

function sourceOption(flags: string, whom: string): Option {
  const option = new Option(flags, `a source that counts for ${whom}; may be given several times`).choices(SOURCES);
  const check = option.parseArg;
  option.argParser((text: string, before: string[] | undefined) => {
    check?.(text, undefined);
    return addTo(text, before);
  });
  return option;
}
