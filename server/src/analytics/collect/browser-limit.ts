import { isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";
import { createRecentMap } from "../recent-map.ts";

const MINUTE_MS = 60_000;
const ADDRESSES_REMEMBERED = 50_000;

/** Keeps one address from filling a project with made-up views: browsers send theirs without a key. */
export interface BrowserLimit {
  /**
   * Takes views of an address, or none of them when they are more than it has left of this minute.
   * @returns 0, or the seconds until there is room again.
   */
  take(address: string, views: number): number;
}

/**
 * The limit holds in this process alone: one in the database would cost more than the views. It is high enough for an office behind
 * one address, and counts an IPv6 network of 64 bits, which one subscriber has, as one address.
 */
export function createBrowserLimit({ perMinute, now }: { perMinute: number; now: () => number }): BrowserLimit {
  const minutes = createRecentMap<{ endsAt: number; taken: number }>(ADDRESSES_REMEMBERED);
  return {
    take(address, views) {
      const key = networkOf(address);
      const time = now();
      const known = minutes.get(key);
      const minute = known !== undefined && time < known.endsAt ? known : { endsAt: time + MINUTE_MS, taken: 0 };
      if (minute !== known) minutes.set(key, minute);
      if (minute.taken + views > perMinute) return Math.ceil((minute.endsAt - time) / 1000);
      minute.taken += views;
      return 0;
    },
  };
}

function networkOf(address: string): string {
  return isIPv6(address) ? ipaddr.IPv6.parse(address).parts.slice(0, 4).join(":") : address;
}
