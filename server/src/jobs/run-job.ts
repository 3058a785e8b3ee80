import { setTimeout } from "node:timers/promises";
import type { Selectable } from "kysely";
import { CONTEXT_TOKENS_ASSUMED, createAgent, nextAction, nextCompaction, systemPrompt } from "../agent/agent.ts";
import type { ResolvedModel } from "../agent/models/models.ts";
import type { Answer, Compaction, ToolCall, ToolOutput, TranscriptEntry } from "../agent/transcript.ts";
import type { JobsTable } from "../database/schema.ts";
import type { FileChange } from "../workspace/tree.ts";
import { openWorkspace, type Workspace } from "../workspace/workspace.ts";
import { openContextRepositories } from "./context-repositories.ts";
import { answerComments } from "./answer-comments.ts";
import { askModel } from "./ask-model.ts";
import { loadBasePaths, recordBaseFiles } from "./changes/base-files.ts";
import { createDeltaSender } from "./deltas.ts";
import { describeFault } from "./faults.ts";
import { readInstructions } from "./instructions.ts";
import { loadJobState, loadTurnFiles, type JobState } from "./job-state.ts";
import { openJobModels } from "./job-models.ts";
import type { JobRun, JobRunDependencies } from "./job-run.ts";
import { jobLimits, publishRules } from "./limits.ts";
import { findLeftBehind } from "./publish.ts";
import { publishTurn, resumePublication } from "./publish-turn.ts";
import { recordStep, type Hold, type NewEvent } from "./record.ts";
import { endTurn, type TurnOutcome } from "./turn-end.ts";
import { readMessages } from "./messages.ts";
import { startTurn, turnInProgress, type Turn } from "./turn-start.ts";

/** A tool call that workers did not survive this often is not tried again: the model hears that it was interrupted. */
const TOOL_PICKUPS_MAX = 3;
/** Checking 5,000 pages that were never read before takes one to two minutes on two idle cores. */
const TOOL_SECONDS_MAX = 600;

/**
 * Works on a claimed job until it rests. Everything it decides follows from what is persisted, one step at a time:
 * take the messages, ask the model, run one tool, publish.
 */
export async function runJob(
  given: JobRunDependencies,
  claimed: Selectable<JobsTable>,
  signal: AbortSignal,
): Promise<void> {
  const { database, mirrors } = given;
  const hold: Hold = { jobId: claimed.id, generation: claimed.generation };
  let state = await loadJobState(database, claimed.id);
  const { project } = state;
  const codeHost = await given.codeHosts.of(project);
  const dependencies = { ...given, codeHost };
  if (state.job.status === "archived") {
    const left = state.job.publish === null ? null : await findLeftBehind({ codeHost }, state, state.job.publish);
    await endTurn(database, hold, { completed: left });
    return;
  }
  const mirror = await mirrors.open(mirrorKey(project), (access) => codeHost.remote(project.repository, access));
  for (;;) {
    const outcome = await runTurn({ dependencies, hold, state, mirror, signal }).catch(async (error: unknown) => {
      const { message, retryAfterMs } = describeFault(error, { pickups: claimed.pickups, waits: 0 });
      if (retryAfterMs === null) await answerComments(dependencies, state, { failed: message });
      throw error;
    });
    await answerComments(dependencies, state, outcome);
    if (await endTurn(database, hold, outcome)) return;
    state = await loadJobState(database, hold.jobId);
  }
}

/** Of its own for each project: what one project's credential may read is not another's to see. */
function mirrorKey({ id, code_host: host, repository }: JobState["project"]): string {
  return host === "builtin" ? repository : `${host}:${id}:${repository}`;
}

async function runTurn(run: JobRun): Promise<TurnOutcome> {
  const { dependencies, hold, state, mirror, signal } = run;
  const { database, modelCalls, clock } = dependencies;
  const { job, project, transcript } = state;
  const limits = jobLimits(dependencies.limits, project.settings);

  let turn = turnInProgress(state);
  if (turn === null) {
    const begun = await startTurn(dependencies, hold, state, mirror);
    if (begun === null) return { completed: null };
    turn = begun.turn;
    transcript.push(...begun.entries);
  }
  const saved = await loadTurnFiles(database, hold.jobId, turn.number);
  let workspace = await openTurnWorkspace(turn, saved);
  let known = saved.length === 0 ? new Set<string>() : await loadBasePaths(database, hold.jobId, turn.number);
  if (job.publish !== null) {
    const published = await resumePublication(run, turn, workspace, job.publish);
    if (published !== "moved") return { completed: published };
  }
  const { framework, docsPath } = await workspace.docs();
  const projectInstructions = await readInstructions(state, mirror);
  const models = await openJobModels(
    { models: dependencies.models, fallback: modelCalls.fallback },
    state,
    limits.costMaxUsd,
  );
  const contextTokens = models[0].facts.contextTokens ?? CONTEXT_TOKENS_ASSUMED;
  const agent = createAgent({
    ownModel: job.model,
    instructions: systemPrompt({
      framework,
      docsPath,
      projectInstructions,
      contextRepositories: project.settings.contextRepositories ?? [],
    }),
    times: modelCalls.times,
    traceContent: modelCalls.traceContent,
    delay: (ms, given) => setTimeout(ms, undefined, { signal: given }),
  });
  const contextTrees = openContextRepositories(dependencies, project);
  let { pickups, waits, last_position: position } = job;

  for (;;) {
    signal.throwIfAborted();
    const remainingMs = turn.startedAt.getTime() + limits.turnMinutesMax * 60_000 - clock().getTime();
    if (remainingMs < 0) {
      const obstacle = waits > 0 && job.last_error !== null ? ` At the end: ${job.last_error}` : "";
      return {
        failed: `The job took longer than ${limits.turnMinutesMax} minutes (DOCENT_JOB_MINUTES_MAX).${obstacle}`,
      };
    }
    const action = nextAction(transcript, { ...limits, contextTokens });
    switch (action.type) {
      case "call-model": {
        transcript.push(...(await readMessages(database, hold)));
        const asked = await askModel({ models, transcript, waits, remainingMs }, answerAloud);
        if ("failed" in asked) return asked;
        if ("result" in asked) {
          await record({ type: "answer", ...asked.result }, { usage: asked.result.usage });
          break;
        }
        const next = nextCompaction(transcript);
        if ("impossible" in next) return { failed: `${asked.tooLong} ${next.impossible}` };
        const failed = await compact(next.stage, remainingMs);
        if (failed !== undefined) return failed;
        break;
      }
      case "compact": {
        const failed = await compact(action.stage, remainingMs);
        if (failed !== undefined) return failed;
        break;
      }
      case "run-tool": {
        const output = pickups > TOOL_PICKUPS_MAX ? INTERRUPTED : await runTool(action.call);
        const { toolCallId, toolName } = action.call;
        const changes = workspace.takeUnsaved();
        const paths = changes.map((change) => change.path);
        await recordBaseFiles(database, hold, { turn, mirror, paths, known });
        await record({ type: "tool-result", toolCallId, toolName, output }, { files: { turn: turn.number, changes } });
        break;
      }
      case "give-up":
        return { failed: action.reason };
      case "finish": {
        const late = await readMessages(database, hold);
        transcript.push(...late);
        if (late.length > 0) break;
        const outcome = await publishTurn(run, turn, workspace, action);
        if ("note" in outcome) await record({ type: "note", text: outcome.note });
        else if ("carried" in outcome) {
          turn = outcome.carried.turn;
          workspace = await openTurnWorkspace(turn, outcome.carried.files);
          known = await loadBasePaths(database, hold.jobId, turn.number);
          if (outcome.carried.note !== null) transcript.push({ type: "note", text: outcome.carried.note });
        } else return outcome;
        break;
      }
    }
  }

  /** The text reaches those who follow the job while the model writes it. */
  async function answerAloud(model: ResolvedModel): Promise<Answer> {
    const deltas = createDeltaSender(database, { jobId: hold.jobId, after: position });
    try {
      return await agent.callModel(model, transcript, { signal, onText: deltas.write });
    } finally {
      await deltas.close();
    }
  }

  async function compact(stage: Compaction["stage"], remainingMs: number): Promise<{ failed: string } | undefined> {
    if (stage === "trim") {
      await record({ type: "compaction", stage });
      return undefined;
    }
    const asked = await askModel({ models, transcript, waits, remainingMs }, (model) =>
      agent.summarize(model, transcript, { signal }),
    );
    if ("failed" in asked) return asked;
    if ("tooLong" in asked) return { failed: asked.tooLong };
    await record(asked.result, asked.result.usage === undefined ? {} : { usage: asked.result.usage });
    return undefined;
  }

  /** Persists an entry of the transcript, and only then counts on it. */
  async function record(
    entry: TranscriptEntry,
    rest: Omit<Parameters<typeof recordStep>[2], "events"> = {},
  ): Promise<void> {
    position = await recordStep(database, hold, { events: [toEvent(entry, rest.files?.changes)], ...rest });
    pickups = 0;
    waits = 0;
    transcript.push(entry);
  }

  async function runTool(call: ToolCall): Promise<ToolOutput> {
    const timeout = AbortSignal.timeout(TOOL_SECONDS_MAX * 1000);
    try {
      return await agent.runTool(call, {
        workspace,
        transcript,
        contextTrees,
        signal: AbortSignal.any([signal, timeout]),
      });
    } catch (error) {
      if (!timeout.aborted || signal.aborted) throw error;
      return { type: "error-text", value: `The call took longer than ${TOOL_SECONDS_MAX} seconds and was stopped.` };
    }
  }

  function openTurnWorkspace({ baseCommit }: Turn, files: FileChange[]): Promise<Workspace> {
    return openWorkspace({ mirror, baseCommit, rules: publishRules(project.settings), saved: files });
  }
}

const INTERRUPTED: ToolOutput = {
  type: "error-text",
  value: "Interrupted: the worker stopped each time during this call. Try another way.",
};

/** The event of a transcript entry; a tool's result also names the files that it changed, for those who watch. */
function toEvent(entry: TranscriptEntry, changes: readonly FileChange[] = []): NewEvent {
  const { type, ...data } = entry;
  return { type, data: changes.length === 0 ? data : { ...data, files: changes.map((change) => change.path) } };
}
