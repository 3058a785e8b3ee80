import { ApiError } from "../errors.ts";
import type { Analytics } from "./analytics.ts";

/** Stands where visits cannot be kept: everything is refused with the reason. */
export function createUnavailableAnalytics(reason: string): Analytics {
  const refuse = (): Promise<never> => Promise.reject(new ApiError("unavailable", { message: reason }));
  return {
    visits: { add: refuse },
    salts: { visitorHash: refuse, storedVisitorHashes: refuse },
    reports: { visitors: refuse, views: refuse, missing: refuse, agents: refuse, bots: refuse, timeseries: refuse },
    rebuild: refuse,
    erase: refuse,
    startFolding: () => {},
    stopFolding: async () => {},
    fold: async () => {},
    tidy: async () => {},
    close: async () => {},
  };
}
