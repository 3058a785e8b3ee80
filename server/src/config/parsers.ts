import { isIP } from "node:net";
import type { Role } from "../database/schema.ts";

/** What became of one variable's text: its value, or what it must be instead (completes "NAME must be …"). */
export type Parsed<T> = { value: T } | { mustBe: string };

export type Parser<T> = (text: string) => Parsed<T>;

export const text: Parser<string> = (given) => ({ value: given });

export function integer(options: { min: number; max: number }): Parser<number> {
  return (given) => {
    const value = Number(given);
    if (/^\d+$/.test(given) && value >= options.min && value <= options.max) return { value };
    return { mustBe: `a whole number from ${options.min} to ${options.max}` };
  };
}

export function oneOf<const T extends string>(values: readonly T[]): Parser<T> {
  return (given) => {
    const value = values.find((candidate) => candidate === given);
    return value === undefined ? { mustBe: `one of ${values.join(", ")}` } : { value };
  };
}

/** A name or an address to listen on, without a port. */
export const host: Parser<string> = (given) =>
  isIP(given) > 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(given)
    ? { value: given }
    : { mustBe: "a host name or an IP address, without a port" };

/** An address that paths are appended to: no query, no fragment, no user, and no slash at its end. */
export const baseUrl: Parser<string> = (given) => {
  const url = URL.parse(given);
  const plain = url !== null && url.username === "" && url.password === "" && url.search === "" && url.hash === "";
  if (plain && (url.protocol === "http:" || url.protocol === "https:")) return { value: url.href.replace(/\/+$/, "") };
  return { mustBe: "an http:// or https:// URL without user, query and fragment" };
};

/** As an OpenID Connect provider calls itself: compared letter by letter, so nothing of it is changed. */
export const issuer: Parser<string> = (given) => {
  const url = URL.parse(given);
  const plain = url !== null && url.username === "" && !given.includes("?") && !given.includes("#");
  if (plain && (url.protocol === "https:" || url.protocol === "http:")) return { value: given };
  return { mustBe: "an https:// URL without user, query and fragment" };
};

/** A URL whose host may be followed by anything; credentials are usual in it, so no message repeats it. */
export function serviceUrl(...protocols: string[]): Parser<string> {
  return (given) => {
    // "postgresql://user@/name?host=/run/postgresql": a host only in the query is PostgreSQL's way to name a socket.
    const url = URL.parse(given.replace("@/", "@localhost/").replace(":///", "://localhost/"));
    if (url !== null && protocols.includes(url.protocol)) return { value: given };
    return { mustBe: `a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}` };
  };
}

/** Something that proves who one is: long enough, and of characters that an HTTP header can carry. */
export function credential(charactersMin: number): Parser<string> {
  return (given) =>
    given.length >= charactersMin && /^[\x21-\x7e]+$/.test(given)
      ? { value: given }
      : {
          mustBe: `at least ${charactersMin} visible ASCII characters without spaces (openssl rand -hex 32 makes one)`,
        };
}

/** A private key in PEM form. Where an environment cannot hold line breaks, `\n` stands for them. */
export const privateKey: Parser<string> = (given) => {
  const value = given.replaceAll("\\n", "\n");
  if (/^-----BEGIN [A-Z ]*PRIVATE KEY-----\n/.test(value)) return { value };
  return { mustBe: "a private key in PEM form, which begins with -----BEGIN" };
};

/** Addresses and CIDR ranges, separated by commas or spaces. */
export const cidrs: Parser<string[]> = (given) => {
  const value = given.split(/[\s,]+/).filter((part) => part !== "");
  const wrong = value.find((part) => !isCidr(part));
  if (wrong === undefined) return { value };
  return { mustBe: `IP addresses or CIDR ranges separated by commas; "${wrong}" is neither` };
};

/** Whether something is allowed: for none, for all, or for addresses and CIDR ranges. */
export const allowance: Parser<"refuse" | "allow" | string[]> = (given) => {
  if (given === "refuse" || given === "allow") return { value: given };
  const ranges = cidrs(given);
  return "value" in ranges ? ranges : { mustBe: `refuse, allow, or ${ranges.mustBe}` };
};

/** Names that people are called by, with or without the `@`, separated by commas or spaces. */
export const handles: Parser<string[]> = (given) => {
  const value = given.split(/[\s,]+/).flatMap((part) => (part === "" ? [] : [part.replace(/^@/, "")]));
  const areNames = value.length > 0 && value.every((name) => /^[A-Za-z0-9_][\w-]*$/.test(name));
  return areNames ? { value } : { mustBe: "names of letters, digits, _ and -, separated by commas" };
};

/** Who is in `group` has `role`. */
export interface GroupRole {
  group: string;
  role: Role;
}

/** Groups and the roles that they give. The names of groups may hold `=` and `,` themselves, as those of LDAP do. */
export const groupRoles: Parser<GroupRole[]> = (given) => {
  const value: GroupRole[] = [];
  let rest = given.trim();
  while (rest !== "") {
    const [whole = "", group = "", role = ""] = /^(.+?)\s*=\s*(viewer|editor|owner)\s*(?:,\s*|$)/.exec(rest) ?? [];
    if (whole === "") {
      return { mustBe: "group=role separated by commas, each role one of viewer, editor, owner" };
    }
    value.push({ group, role: role as Role });
    rest = rest.slice(whole.length);
  }
  return { value };
};

function isCidr(part: string): boolean {
  const [address = "", bits, ...rest] = part.split("/");
  const version = isIP(address);
  if (version === 0 || address.includes("%") || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

export const model: Parser<string> = (given) =>
  /^[a-z][a-z0-9-]*:\S+$/.test(given) && (!given.startsWith("docent:") || given === "docent:offline")
    ? { value: given }
    : { mustBe: "docent:offline or provider:model, such as openai-compatible:qwen3-coder" };

export const awsRegion: Parser<string> = (given) =>
  /^[a-z]{2,}(-[a-z0-9]+)+$/.test(given) ? { value: given } : { mustBe: "the name of a region, like eu-central-1" };

/** An amount of money above zero. */
export const dollars: Parser<number> = (given) => {
  const value = Number(given);
  if (/^\d{1,9}(\.\d{1,9})?$/.test(given) && value > 0) return { value };
  return { mustBe: "an amount of US dollars above 0, such as 2.50" };
};

/** What a model costs, in US dollars per million tokens, and how much it can read at once. */
export interface ModelPrice {
  input: number;
  output: number;
  /** Of tokens that the provider had in its cache. As `input` when absent. */
  cachedInput?: number;
  /** Of tokens that it put into its cache. As `input` when absent. */
  cacheWrite?: number;
  contextTokens?: number;
}

const PRICE_FIELDS = ["input", "output", "cachedInput", "cacheWrite", "contextTokens"];

/** Models' prices by `provider:model`. */
export const modelPrices: Parser<Record<string, ModelPrice>> = (given) => {
  const mustBe = `a JSON object from provider:model to {"input": 3, "output": 15}, in US dollars per million tokens`;
  const table = parseObject(given);
  if (table === undefined) return { mustBe };
  for (const [name, price] of Object.entries(table)) {
    if (!isModelPrice(price)) {
      return { mustBe: `${mustBe}; "${name}" has something else (its fields are ${PRICE_FIELDS.join(", ")})` };
    }
  }
  return { value: table as Record<string, ModelPrice> };
};

function isModelPrice(price: unknown): boolean {
  if (typeof price !== "object" || price === null || !("input" in price) || !("output" in price)) return false;
  return Object.entries(price).every(
    ([field, value]) =>
      PRICE_FIELDS.includes(field) &&
      typeof value === "number" &&
      Number.isFinite(value) &&
      value >= 0 &&
      (field !== "contextTokens" || value >= 1_000),
  );
}

function parseObject(given: string): object | undefined {
  try {
    const value: unknown = JSON.parse(given);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
