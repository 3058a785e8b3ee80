import { SOURCES, type Source } from "../view.ts";
import { normaliseAddress } from "./address.ts";
import { hostOf, prefersMarkdown, readStatus, type Page } from "./page.ts";
import { reject, type Rejection } from "./rejection.ts";
import { findTimeFault, readTimestamp, type TimeLimits } from "./timestamp.ts";

/** An event as it is sent. Every field may be absent; what is not named here is ignored. */
export interface SentEvent {
  url?: unknown;
  path?: unknown;
  visitorId?: unknown;
  ip?: unknown;
  userAgent?: unknown;
  referrer?: unknown;
  accept?: unknown;
  method?: unknown;
  status?: unknown;
  timestamp?: unknown;
  source?: unknown;
  prefetch?: unknown;
  globalPrivacyControl?: unknown;
}

/** A view as far as an event tells it. */
export interface EventView {
  /** Milliseconds since 1970. */
  time: number;
  path: string;
  isMissing: boolean;
  isMarkdown: boolean;
  source: Source;
  /** A host, or empty. */
  referrer: string;
  /** Who it was: an id of the site's own, or an address. */
  visitor: { id: string } | { address: string };
  /** Null when nothing was said of it. */
  userAgent: string | null;
  accept: string;
}

/** A browser that sent events itself: what is known of it comes from its connection, not from its events. */
export interface Browser {
  /** As `normaliseAddress` writes it. */
  address: string;
  userAgent: string;
  /** It sent `Sec-GPC: 1`. */
  hasGlobalPrivacyControl: boolean;
  /** It sent `Sec-Purpose: prefetch`. */
  isPrefetch: boolean;
}

export interface EventContext {
  now: number;
  limits: TimeLimits;
  /** Undefined for a server, which tells of others. */
  browser: Browser | undefined;
  dropsGlobalPrivacyControl: boolean;
  /** Hosts of the site itself: whoever comes from there comes from nowhere else. */
  ownHosts: ReadonlySet<string>;
  readPage: (urlOrPath: string) => Page | "invalid_url" | "not_a_page";
}

/** The longest id of a visitor, in UTF-16 units. */
const VISITOR_ID_LENGTH_MAX = 500;
/** Longer ones are cut. */
const HEADER_LENGTH_MAX = 1_000;
/** RFC 1035, section 2.3.4. */
const HOST_LENGTH_MAX = 253;

/** Reads an event, or says why it does not count. */
export function readEvent(sent: unknown, context: EventContext): EventView | Rejection {
  if (typeof sent !== "object" || sent === null || Array.isArray(sent)) return reject("invalid_event");
  const event: SentEvent = sent;
  const urlOrPath = event.url ?? event.path;
  if (typeof urlOrPath !== "string") return reject("invalid_url");
  const page = context.readPage(urlOrPath);
  if (typeof page === "string") return reject(page);

  const wrong = findWrongType(event);
  if (wrong !== undefined) return reject("invalid_field", wrong);
  const method = event.method ?? "GET";
  if (method !== "GET") return reject("method_not_get");
  const shown = event.status == null ? "shown" : readStatus(event.status as number);
  if (shown === "neither") return reject("status_not_page_view");
  const { browser } = context;
  if (event.prefetch === true || browser?.isPrefetch === true) return reject("prefetch");
  if (context.dropsGlobalPrivacyControl) {
    const isPrivate = event.globalPrivacyControl === true || browser?.hasGlobalPrivacyControl === true;
    if (isPrivate) return reject("global_privacy_control");
  }

  const visitor = browser === undefined ? readVisitor(event) : { address: browser.address };
  if ("code" in visitor) return visitor;
  const time = browser === undefined && event.timestamp != null ? readTimestamp(event.timestamp) : context.now;
  if (time === undefined) return reject("invalid_timestamp");
  const timeFault = findTimeFault(time, context.limits);
  if (timeFault !== undefined) return reject(timeFault);

  const accept = browser === undefined ? textOf(event.accept) : "";
  return {
    time,
    path: page.path,
    isMissing: shown === "missing",
    isMarkdown: page.isMarkdown || prefersMarkdown(accept),
    source: browser === undefined ? ((event.source ?? "api") as Source) : "tracker",
    referrer: readReferrer(textOf(event.referrer), page.host, context.ownHosts),
    visitor,
    userAgent: browser === undefined ? (event.userAgent == null ? null : textOf(event.userAgent)) : browser.userAgent,
    accept,
  };
}

const STRING_FIELDS = ["visitorId", "ip", "userAgent", "referrer", "accept", "method"] as const;

/** What is wrong with the types of the fields, naming the first wrong one. Null is as good as absent. */
function findWrongType(event: SentEvent): string | undefined {
  for (const field of STRING_FIELDS) {
    const value = event[field];
    if (value != null && typeof value !== "string") return `${field} must be a string.`;
  }
  const { status, source, prefetch, globalPrivacyControl } = event;
  if (status != null && !Number.isInteger(status)) return "status must be an integer.";
  if (source != null && !SOURCES.includes(source as Source)) return `source must be one of ${SOURCES.join(", ")}.`;
  if (prefetch != null && typeof prefetch !== "boolean") return "prefetch must be a boolean.";
  if (globalPrivacyControl != null && typeof globalPrivacyControl !== "boolean") {
    return "globalPrivacyControl must be a boolean.";
  }
  return undefined;
}

function readVisitor(event: SentEvent): EventView["visitor"] | Rejection {
  const id = event.visitorId as string | null | undefined;
  if (id != null && id !== "") {
    const isUsable = id.length <= VISITOR_ID_LENGTH_MAX && id.isWellFormed();
    return isUsable
      ? { id }
      : reject("invalid_field", "visitorId must have at most 500 characters, all of them whole.");
  }
  const ip = event.ip as string | null | undefined;
  if (ip == null || ip === "") return reject("no_visitor");
  const address = normaliseAddress(ip);
  return address === undefined ? reject("invalid_field", "ip must be an IPv4 or IPv6 address.") : { address };
}

function readReferrer(referrer: string, pageHost: string, ownHosts: ReadonlySet<string>): string {
  if (referrer === "") return "";
  const host = hostOf(referrer);
  return host === pageHost || ownHosts.has(host) || host.length > HOST_LENGTH_MAX ? "" : host;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.slice(0, HEADER_LENGTH_MAX) : "";
}
