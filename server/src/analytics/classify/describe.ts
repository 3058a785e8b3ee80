import { AGENTS } from "./agents.ts";
import { createClassifier } from "./classify.ts";
import { CRAWLERS, HTTP_CLIENTS } from "./programs.ts";

const CRAWLERS_URL = "https://github.com/monperrus/crawler-user-agents";

/** The page on how people, AI agents and bots are told apart, in Markdown. */
export function describeClassification(): string {
  return `${INTRODUCTION}
## AI agents

\`purpose\` is what an agent reads for: an **assistant** for a person who asks, a **search** engine for its index, **training**
for a model. Crawlers that collect for other people's models, and those that do not say what for, count as training. A name counts as a
whole word in any case: \`NotClaudeBot\` is no \`ClaudeBot\`, and \`Spider\`, \`Code\` or \`OpenAI\` alone are nobody.

${table(
  ["Agent", "Operator", "Purpose", "Recognised by", "Source"],
  AGENTS.map(({ name, operator, purpose, words, source }) => [name, operator, purpose, code(words), link(source)]),
)}

## HTTP clients

On Markdown these count as AI with the purpose \`reader\`, on HTML as bots.

${table(
  ["Client", "Recognised by", "Source"],
  HTTP_CLIENTS.map(({ name, words, source }) => [name, code(words), link(source)]),
)}

## What it gets wrong

Nobody has to say who they are, and some do not. These are known:

${table(["Who", "Sends", "Counts as", "Why"], [...KNOWN_MISSES, ...listedBotsThatCountAsPeople()])}

Of the ${CRAWLERS.flatMap(({ instances }) => instances).length.toLocaleString("en")} user agents in [crawler-user-agents](${CRAWLERS_URL}), the rows above that name it are all
that count as people, and every one tagged \`ai-crawler\` counts as AI. Of the 555 browsers in
[isbot's fixtures](https://github.com/omrilotan/isbot/blob/344052d/fixtures/browsers.yml) (20 July 2026) three do not count as people: \`TSM-turingos\`, \`Amzn-User\` and
\`amazon-kendra\`, which are AI agents that isbot prefers to let pass.
`;
}

const INTRODUCTION = `Each view is classified once, when it arrives, by the user agent and by whether the client got Markdown. The first of these
steps that has an answer decides (\`server/src/analytics/classify/classify.ts\`):

1. **AI agent**: the user agent names one of the agents below. It is \`ai\`, with the agent's name, operator and purpose.
2. **Reader of Markdown**: a program that is no known bot fetched Markdown. It is \`ai\` with the purpose \`reader\`: agents use the HTTP
   libraries of their languages, and little else reads documentation as Markdown. Without a user agent it is one too.
3. **Other bot**: everything else that [isbot](https://github.com/omrilotan/isbot) knows as a program: search engines, link previews, monitors, HTTP libraries
   on HTML, requests without a user agent. It counts neither as \`human\` nor as \`ai\`.
4. **Human**: the rest. A browser is a person's on Markdown too, as a "copy page" button fetches it.

A client got Markdown when the path ends in \`.md\` or \`.mdx\`, is \`llms.txt\` or \`llms-full.txt\` (which are Markdown, and count as pages of their own),
or when its \`Accept\` header asks for \`text/markdown\` no less than for \`text/html\`. An event that names the site's own visitor (\`visitorId\`) and
says nothing of the user agent is a person's: sites know their people by a sign-in. A user agent is a claim that is not verified.

\`ai\` in the reports counts all of these agents; with the project's setting \`analytics.ai: "assistants"\`, only assistants and readers of Markdown.

An agent is missing, or wrong? Add a line to \`agents.tsv\` in that folder, with a source, and run \`npm run generate\`.
`;

const CHROME = "a plain browser's user agent";
const KNOWN_MISSES = [
  [
    "[ChatGPT agent](https://help.openai.com/en/articles/11845367-chatgpt-agent-allowlisting), and others that drive a browser",
    CHROME,
    "human",
    "They sign their requests or say nothing; signatures are not looked at.",
  ],
  [
    "[opencode](https://github.com/sst/opencode)",
    "often a browser's user agent, with `text/markdown` among what it accepts",
    "human",
    "Browsers are people's. Only its own user agent is recognised.",
  ],
  [
    "Agents that pose as a search engine to be let in",
    "`Googlebot`",
    "bot",
    "Addresses are not checked against the search engine's.",
  ],
  [
    "People who read with a terminal, like `curl` or HTTPie",
    "the tool's user agent",
    "`ai` on Markdown, bot on HTML",
    "The same tools are what agents use.",
  ],
  [
    "[Google-Extended](https://developers.google.com/search/docs/crawling-indexing/google-common-crawlers#google-extended)",
    "nothing of its own: it is a word for robots.txt",
    "as Googlebot",
    "Google crawls once for search and for Gemini. Who sends this name is not Google.",
  ],
  [
    "[Applebot](https://support.apple.com/en-us/119829), Bingbot and other search engines that also feed assistants",
    "one user agent for all of it",
    "bot",
    "What is mostly a search engine counts as one.",
  ],
];

/** What the list calls bots and isbot calls browsers. */
function listedBotsThatCountAsPeople(): string[][] {
  const classify = createClassifier();
  return CRAWLERS.flatMap(({ pattern, instances }) => {
    const people = instances.filter(
      (userAgent) => classify({ userAgent, accept: "", isMarkdown: false }).class === "human",
    );
    return people.map((userAgent) => [
      `\`${pattern.replaceAll("\\", "")}\` of [crawler-user-agents](${CRAWLERS_URL})`,
      code(userAgent),
      "human",
      "isbot holds it for a browser, or an app that shows pages.",
    ]);
  });
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function code(text: string): string {
  return `\`${text}\``;
}

function link(url: string): string {
  return `[${new URL(url).hostname.replace(/^www\./, "")}](${url})`;
}
