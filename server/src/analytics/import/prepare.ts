import type { AnalyticsSettings } from "../../database/schema.ts";
import type { Classification } from "../classify/classification.ts";
import type { Classify } from "../classify/classify.ts";
import { normaliseAddress } from "../collect/address.ts";
import { hostOf, prefersMarkdown, readPage, readStatus } from "../collect/page.ts";
import { REJECTIONS, type RejectionCode } from "../collect/rejection.ts";
import { saltPeriod, type Salts } from "../collect/salts.ts";
import { findTimeFault, timeLimits } from "../collect/timestamp.ts";
import type { View } from "../view.ts";
import type { LogChunk, LoggedPage } from "./chunk.ts";

/** Views of a chunk that do not count, for one reason. */
export interface ChunkRejection {
  code: RejectionCode;
  message: string;
  count: number;
  /** The first of them, by its number in the chunk. */
  example: number;
}

export interface PreparedChunk {
  views: View[];
  rejected: ChunkRejection[];
}

/** Makes views of a chunk: each distinct page, user agent and reader is looked at once. */
export type PrepareChunk = (chunk: LogChunk, settings: AnalyticsSettings) => Promise<PreparedChunk>;

/** As of events: longer ones are cut. */
const USER_AGENT_LENGTH_MAX = 1_000;
const HOST_LENGTH_MAX = 253;

/** What counts in a log, in words that fit lines better than the events they were written for. */
const MESSAGES: Partial<Record<RejectionCode, string>> = {
  invalid_url: "The path is longer than 1,000 characters, has control characters, or is none.",
  no_visitor: "No client address.",
  timestamp_in_future: "More than 10 minutes ahead of the server's clock.",
  timestamp_before_1971: "Before 1971.",
  timestamp_before_retention: "On a day that the project no longer keeps.",
};

export function createPrepareChunk({
  classify,
  salts,
  clock,
}: {
  classify: Classify;
  salts: Pick<Salts, "visitorHash">;
  clock: () => Date;
}): PrepareChunk {
  return async (chunk, settings) => {
    const { projectId } = chunk.step;
    const limits = timeLimits(clock().getTime(), settings.retentionDays);
    const rotation = settings.saltRotation ?? "never";
    const pages = chunk.pages.map(readLoggedPage);
    const addresses = chunk.addresses.map((address) => normaliseAddress(address) ?? address.toLowerCase());
    const userAgents = chunk.userAgents.map((userAgent) => userAgent.slice(0, USER_AGENT_LENGTH_MAX));
    const referrers = chunk.referrers.map(readReferrer);
    const classifications = createClassifications(classify, userAgents);
    const dropped = new Set(settings.globalPrivacyControl === "drop" ? chunk.globalPrivacyControl : []);
    const visitors = createVisitors(addresses, userAgents, (period) => salts.visitorHash(projectId, period));

    const views: View[] = [];
    const rejected = new Map<RejectionCode, ChunkRejection>();
    const { columns } = chunk;
    let time = 0;
    for (let index = 0; index < columns.seconds.length; index += 1) {
      time += (columns.seconds[index] ?? 0) * 1000;
      const page = pages[columns.pages[index] ?? -1];
      const address = columns.addresses[index] ?? -1;
      const fault =
        page === undefined || typeof page === "string"
          ? (page ?? "invalid_url")
          : (findTimeFault(time, limits) ??
            (dropped.has(index) ? "global_privacy_control" : addresses[address] === "" ? "no_visitor" : undefined));
      if (fault !== undefined || page === undefined || typeof page === "string") {
        countRejected(rejected, fault ?? "invalid_url", index);
        continue;
      }
      const userAgent = columns.userAgents[index] ?? -1;
      const { class: viewClass, purpose, agent } = classifications(userAgent, page.isMarkdown);
      const visitor = visitors.known(saltPeriodOf(time), address, userAgent);
      views.push({
        time,
        visitor: visitor ?? (await visitors.find(saltPeriodOf(time), address, userAgent)),
        path: page.path,
        class: viewClass,
        purpose,
        agent,
        source: "log",
        isMissing: page.isMissing,
        referrer: referrers[columns.referrers[index] ?? -1] ?? "",
      });
    }
    return { views, rejected: [...rejected.values()] };

    function saltPeriodOf(at: number): string {
      return rotation === "never" ? "always" : saltPeriod(rotation, at);
    }
  };
}

interface PreparedPage {
  path: string;
  isMarkdown: boolean;
  isMissing: boolean;
}

function readLoggedPage({ path, status, accept = "" }: LoggedPage): PreparedPage | RejectionCode {
  const page = readPage(path);
  if (typeof page === "string") return page;
  const shown = readStatus(status);
  if (shown === "neither") return "status_not_page_view";
  return { path: page.path, isMarkdown: page.isMarkdown || prefersMarkdown(accept), isMissing: shown === "missing" };
}

function readReferrer(text: string): string {
  const host = text.includes("/") ? hostOf(text) : text.toLowerCase();
  return host.length > HOST_LENGTH_MAX ? "" : host;
}

/** Each user agent is classified at most twice: for pages and for Markdown. */
function createClassifications(classify: Classify, userAgents: readonly string[]) {
  const known: (Classification | undefined)[] = [];
  return (userAgent: number, isMarkdown: boolean): Classification => {
    const place = userAgent * 2 + (isMarkdown ? 1 : 0);
    return (known[place] ??= classify({ userAgent: userAgents[userAgent] ?? "", accept: "", isMarkdown }));
  };
}

/** Each pair of address and user agent is hashed once for each period. */
function createVisitors(
  addresses: readonly string[],
  userAgents: readonly string[],
  visitorHash: (period: string) => ReturnType<Salts["visitorHash"]>,
) {
  const periods = new Map<string, Map<number, bigint>>();
  const place = (address: number, userAgent: number): number => address * userAgents.length + userAgent;
  return {
    known: (period: string, address: number, userAgent: number): bigint | undefined =>
      periods.get(period)?.get(place(address, userAgent)),

    async find(period: string, address: number, userAgent: number): Promise<bigint> {
      const hash = await visitorHash(period);
      let ofPeriod = periods.get(period);
      if (ofPeriod === undefined) periods.set(period, (ofPeriod = new Map()));
      const visitor = hash.ofClient(addresses[address] ?? "", userAgents[userAgent] ?? "");
      ofPeriod.set(place(address, userAgent), visitor);
      return visitor;
    },
  };
}

function countRejected(rejected: Map<RejectionCode, ChunkRejection>, code: RejectionCode, index: number): void {
  const known = rejected.get(code);
  if (known !== undefined) known.count += 1;
  else rejected.set(code, { code, message: MESSAGES[code] ?? REJECTIONS[code], count: 1, example: index });
}
