import { describe, expect, test } from "vitest";
import { AGENTS, describeAgent } from "./agents.ts";
import { createClassifier } from "./classify.ts";
import { CRAWLERS } from "./programs.ts";

const classify = createClassifier();
const page = (userAgent: string) => classify({ userAgent, accept: "", isMarkdown: false });
const markdown = (userAgent: string) => classify({ userAgent, accept: "", isMarkdown: true });

const HUMAN = { class: "human", purpose: "none", agent: "" };
const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";
const GOOGLEBOT = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";

describe("an AI agent that says who it is", () => {
  test.each([
    ["Claude-User (claude-code/2.1.86; +https://support.anthropic.com/)", "Claude Code", "assistant"],
    [
      "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-User/1.0; +Claude-User@anthropic.com)",
      "Claude-User",
      "assistant",
    ],
    [
      "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)",
      "ClaudeBot",
      "training",
    ],
    ["claudebot", "ClaudeBot", "training"],
    [
      "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot",
      "ChatGPT-User",
      "assistant",
    ],
    [`${CHROME}; compatible; OAI-SearchBot/1.3; +https://openai.com/searchbot`, "OAI-SearchBot", "search"],
    [
      "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.3; +https://openai.com/gptbot)",
      "GPTBot",
      "training",
    ],
    [
      "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Perplexity-User/1.0; +https://perplexity.ai/perplexity-user)",
      "Perplexity-User",
      "assistant",
    ],
    ["Cursor/1.0", "Cursor", "assistant"],
    [
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Cursor/1.7.46 Chrome/138.0.7204.251 Electron/37.6.0 Safari/537.36",
      "Cursor",
      "assistant",
    ],
    ["opencode/0.3.1", "opencode", "assistant"],
    [
      "ModelContextProtocol/1.0 (Autonomous; +https://github.com/modelcontextprotocol/servers)",
      "MCP fetch server",
      "assistant",
    ],
    [
      "meta-externalfetcher/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)",
      "meta-externalfetcher",
      "assistant",
    ],
    ["AI2Bot-DeepResearchEval/1.0", "AI2Bot-DeepResearchEval", "assistant"],
    ["Mozilla/5.0 (compatible) Ai2Bot-Dolma (+https://www.allenai.org/crawler)", "AI2Bot", "training"],
  ])("%s is %s, %s", (userAgent, agent, purpose) => {
    expect(page(userAgent)).toEqual({ class: "ai", purpose, agent });
    expect(markdown(userAgent)).toEqual({ class: "ai", purpose, agent });
  });

  test("is recognised on every user agent that crawler-user-agents tags ai-crawler", () => {
    const tagged = CRAWLERS.filter(({ tags }) => tags.includes("ai-crawler"));
    expect(tagged.length).toBeGreaterThanOrEqual(75);
    const userAgents = tagged.flatMap(({ pattern, instances }) =>
      // Without an instance the pattern itself, where it is plain text.
      instances.length > 0 ? instances : [pattern.replaceAll("\\", "")],
    );
    expect(userAgents.filter((userAgent) => page(userAgent).class !== "ai")).toEqual([]);
  });

  test("is not found in a word that only contains or resembles its name", () => {
    for (const userAgent of [
      `${CHROME} NotClaude-User/1.0`,
      `${CHROME} Spider`,
      `${CHROME} Code/1.115.0`,
      `${CHROME} OpenAI`,
      `${CHROME} Operator`,
      `${CHROME} cursor`,
      `${CHROME} devin`,
      "Mozilla/5.0 (Linux; Android 9; CUBOT X19) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/99 Mobile Safari/537.36",
    ]) {
      expect([userAgent, page(userAgent).class]).not.toEqual([userAgent, "ai"]);
    }
    for (const word of ["Spider", "Code", "OpenAI", "Operator", "AI", "Bot", "Agent", "Assistant", "LLM"]) {
      expect([word, page(word).class]).toEqual([word, "bot"]);
    }
  });
});

describe("a program that does not", () => {
  test.each([
    ["axios/1.8.4", "axios"],
    ["node", "Node.js"],
    ["undici", "Node.js"],
    ["node-fetch/1.0 (+https://github.com/bitinn/node-fetch)", "node-fetch"],
    ["got (https://github.com/sindresorhus/got)", "got"],
    ["Bun/1.3.1", "Bun"],
    ["python-requests/2.32.3", "python-requests"],
    ["python-httpx/0.28.1", "httpx"],
    ["Python/3.12 aiohttp/3.10.5", "aiohttp"],
    ["curl/8.9.1", "curl"],
    ["Go-http-client/2.0", "Go-http-client"],
    ["Mozilla/5.0 (Windows NT; Windows NT 10.0; en-US) PowerShell/7.4.0", "PowerShell"],
    ["some-agent-of-ours/0.1", "Unknown program"],
    ["", "No user agent"],
    ["-", "No user agent"],
  ])("%j reads Markdown as AI and HTML as a bot", (userAgent, name) => {
    expect(markdown(userAgent)).toEqual({ class: "ai", purpose: "reader", agent: name });
    expect(page(userAgent)).toEqual({ class: "bot", purpose: "none", agent: name });
  });

  test("is a bot on Markdown too when it is a known bot", () => {
    expect(markdown(GOOGLEBOT)).toEqual({ class: "bot", purpose: "none", agent: "Googlebot" });
    expect(page(GOOGLEBOT)).toEqual({ class: "bot", purpose: "none", agent: "Googlebot" });
  });
});

test("a bot of crawler-user-agents has a name of its own", () => {
  const bots = CRAWLERS.flatMap(({ instances }) => instances.map(page)).filter((answer) => answer.class === "bot");
  expect(bots.length).toBeGreaterThan(1_900);
  expect(bots.filter(({ agent, purpose }) => !/^[\w][\w .:!@~,'-]+$/.test(agent) || purpose !== "none")).toEqual([]);
  expect(new Set(bots.map(({ agent }) => agent)).size).toBeGreaterThan(1_200);
});

test("a person is one on Markdown too", () => {
  expect(page(CHROME)).toEqual(HUMAN);
  expect(markdown(CHROME)).toEqual(HUMAN);
});

test("a user agent of any length is classified in no time", () => {
  const started = performance.now();
  for (const part of ["a", "Mozilla/5.0 ", "bot ", "((((", "+https://spider", "Googlebot"]) {
    page(part.repeat(100_000));
    markdown(part.repeat(100_000));
  }
  expect(performance.now() - started).toBeLessThan(1_000);
});

describe("the table of agents", () => {
  test("is complete and unambiguous", () => {
    for (const { name, purpose, source } of AGENTS) {
      expect(name).toMatch(/\S/);
      expect(["assistant", "search", "training"]).toContain(purpose);
      expect(new URL(source).protocol).toMatch(/^https?:$/);
    }
    expect(new Set(AGENTS.map(({ name }) => name)).size).toBe(AGENTS.length);
  });

  test("tells who runs an agent, and what for", () => {
    expect(describeAgent("Claude Code")).toEqual({ operator: "Anthropic", purpose: "assistant" });
    expect(describeAgent("AISearchBot")).toEqual({ operator: null, purpose: "search" });
    expect(describeAgent("curl")).toEqual({ operator: null, purpose: "reader" });
    expect(describeAgent("constructor")).toEqual({ operator: null, purpose: "reader" });
  });
});
