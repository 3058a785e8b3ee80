import type { AnalyticsSettings } from "../../database/schema.ts";
import type { Classification } from "../classify/classification.ts";
import type { Classify } from "../classify/classify.ts";
import type { Visits } from "../store/visits.ts";
import type { View } from "../view.ts";
import { readEvent, type Browser, type EventContext, type EventView } from "./event.ts";
import { createPageReader, hostOf } from "./page.ts";
import type { Rejection } from "./rejection.ts";
import { saltPeriod, type Salts } from "./salts.ts";
import { timeLimits } from "./timestamp.ts";

/** What became of the events of one request. */
export interface Collected {
  /** How many are stored, for good. */
  accepted: number;
  /** The others, by their place in the request. */
  rejected: (Rejection & { index: number })[];
}

/**
 * Stores the views that events tell of, and resolves when they are stored.
 * @param settings the project's
 * @param browser when a browser sent them itself, and undefined for a server
 * @throws VisitsBusyError when too much waits to be stored: nothing of these events is.
 */
export type Collect = (
  projectId: string,
  events: readonly unknown[],
  sender: { settings: AnalyticsSettings; browser: Browser | undefined },
) => Promise<Collected>;

export interface CollectDependencies {
  visits: Pick<Visits, "add">;
  classify: Classify;
  salts: Pick<Salts, "visitorHash">;
  clock: () => Date;
}

/**
 * Who names its own visitor and says nothing of the client is a site whose people sign in: what such a site sends without a user
 * agent is taken for people.
 */
const SIGNED_IN: Classification = { class: "human", purpose: "none", agent: "" };

export function createCollect({ visits, classify, salts, clock }: CollectDependencies): Collect {
  const readPage = createPageReader();

  async function toViews(projectId: string, seen: readonly EventView[], rotation: AnalyticsSettings["saltRotation"]) {
    const views: View[] = [];
    let period: string | undefined;
    let visitorHash: Awaited<ReturnType<Salts["visitorHash"]>> | undefined;
    for (const view of seen) {
      const its = saltPeriod(rotation ?? "never", view.time);
      if (visitorHash === undefined || its !== period) {
        period = its;
        visitorHash = await salts.visitorHash(projectId, its);
      }
      const { visitor, userAgent } = view;
      const {
        class: viewClass,
        purpose,
        agent,
      } = userAgent === null && "id" in visitor
        ? SIGNED_IN
        : classify({ userAgent: userAgent ?? "", accept: view.accept, isMarkdown: view.isMarkdown });
      views.push({
        time: view.time,
        visitor:
          "id" in visitor ? visitorHash.ofId(visitor.id) : visitorHash.ofClient(visitor.address, userAgent ?? ""),
        path: view.path,
        class: viewClass,
        purpose,
        agent,
        source: view.source,
        isMissing: view.isMissing,
        referrer: view.referrer,
      });
    }
    return views;
  }

  return async (projectId, events, { settings, browser }) => {
    const now = clock().getTime();
    const context: EventContext = {
      now,
      limits: timeLimits(now, settings.retentionDays),
      browser,
      dropsGlobalPrivacyControl: settings.globalPrivacyControl === "drop",
      ownHosts: new Set((settings.origins ?? []).map(hostOf)),
      readPage,
    };
    const seen: EventView[] = [];
    const rejected: Collected["rejected"] = [];
    for (const [index, event] of events.entries()) {
      const view = readEvent(event, context);
      if ("code" in view) rejected.push({ index, ...view });
      else seen.push(view);
    }
    const views = await toViews(projectId, seen, settings.saltRotation);
    if (views.length > 0) await visits.add({ projectId, views });
    return { accepted: views.length, rejected };
  };
}
