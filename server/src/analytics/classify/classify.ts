import { isBot } from "isbot";
import { createRecentMap } from "../recent-map.ts";
import { findAgent } from "./agents.ts";
import type { Classification, ClientRequest } from "./classification.ts";
import { findBot, findHttpClient } from "./programs.ts";

/** Distinct user agents that are kept in memory; a documentation site sees a few thousand a day. */
const REMEMBERED_USER_AGENTS = 10_000;
/** User agents are cut here: no known one is longer, and the patterns should not be fed more. */
const USER_AGENT_LENGTH_MAX = 1_000;

export type Classify = (request: ClientRequest) => Classification;

type Step = (request: ClientRequest) => Classification | "next";

/** Decides whether a person, an AI agent or another bot made a request. Asked in this order, the first to answer decides. */
const STEPS: readonly Step[] = [knownAgent, markdownReader, otherBot, human];

/**
 * The classifier, with a memory of the last user agents. A remembered one takes about 0.2 µs, a new browser 8 µs, a new
 * bot 45 µs (measured over the lists of isbot).
 */
export function createClassifier(): Classify {
  const ofPages = createRecentMap<Classification>(REMEMBERED_USER_AGENTS);
  const ofMarkdown = createRecentMap<Classification>(REMEMBERED_USER_AGENTS);

  return (request) => {
    const userAgent = request.userAgent.slice(0, USER_AGENT_LENGTH_MAX);
    const remembered = request.isMarkdown ? ofMarkdown : ofPages;
    const known = remembered.get(userAgent);
    if (known !== undefined) return known;
    const classification = decide({ ...request, userAgent });
    remembered.set(userAgent, classification);
    return classification;
  };
}

function decide(request: ClientRequest): Classification {
  for (const step of STEPS) {
    const answer = step(request);
    if (answer !== "next") return answer;
  }
  throw new Error("The last step answers everything.");
}

/** An AI agent that says who it is. */
function knownAgent({ userAgent }: ClientRequest): Classification | "next" {
  const agent = findAgent(userAgent);
  return agent === undefined ? "next" : { class: "ai", purpose: agent.purpose, agent: agent.name };
}

/**
 * A program that fetches Markdown and is no known bot: agents use the HTTP libraries of their languages, and little else
 * reads documentation as Markdown. Browsers are not among them: a "copy page" button fetches Markdown too.
 */
function markdownReader({ userAgent, isMarkdown }: ClientRequest): Classification | "next" {
  if (!isMarkdown) return "next";
  const name = findUnknownProgram(userAgent);
  return name === undefined ? "next" : { class: "ai", purpose: "reader", agent: name };
}

/** Every other program: search engines, link previews, monitors, HTTP libraries. */
function otherBot({ userAgent }: ClientRequest): Classification | "next" {
  const name = findUnknownProgram(userAgent) ?? (isBot(userAgent) ? findBot(userAgent) : undefined);
  return name === undefined ? "next" : { class: "bot", purpose: "none", agent: name };
}

/** Whoever is left: browsers, and apps that show pages as browsers do. */
function human(): Classification {
  return { class: "human", purpose: "none", agent: "" };
}

/** What to call a program that no list of bots has; undefined for browsers and for known bots. */
function findUnknownProgram(userAgent: string): string | undefined {
  // Every browser sends a user agent; logs write `-` where there was none.
  if (userAgent === "" || userAgent === "-") return "No user agent";
  const client = findHttpClient(userAgent);
  if (client !== undefined) return client;
  return isBot(userAgent) && findBot(userAgent) === undefined ? "Unknown program" : undefined;
}
