/** User agents as real clients send them. The agents' are from the pages that `agents.tsv` in the classifier names. */
export const BROWSERS: readonly (readonly [userAgent: string, weight: number])[] = [
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
    26,
  ],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
    24,
  ],
  ["Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36", 12],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:144.0) Gecko/20100101 Firefox/144.0", 9],
  ["Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0", 7],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15",
    9,
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1",
    6,
  ],
  [
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36",
    5,
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0",
    8,
  ],
];

/** They fetch what a person has just asked about. `isMarkdown`: as Markdown, by adding `.md`. */
export const ASSISTANTS: readonly { userAgent: string; isMarkdown: boolean; weight: number }[] = [
  {
    userAgent:
      "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot",
    isMarkdown: false,
    weight: 34,
  },
  { userAgent: "Claude-User (claude-code/2.0.42; +https://support.anthropic.com/)", isMarkdown: true, weight: 26 },
  {
    userAgent:
      "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-User/1.0; +Claude-User@anthropic.com)",
    isMarkdown: false,
    weight: 14,
  },
  {
    userAgent:
      "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Perplexity-User/1.0; +https://perplexity.ai/perplexity-user)",
    isMarkdown: false,
    weight: 8,
  },
  {
    userAgent:
      "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; MistralAI-User/1.0; +https://docs.mistral.ai/robots)",
    isMarkdown: false,
    weight: 3,
  },
  // Agents that say nothing of themselves but their language's HTTP library.
  { userAgent: "axios/1.13.2", isMarkdown: true, weight: 8 },
  { userAgent: "node", isMarkdown: true, weight: 5 },
  { userAgent: "python-httpx/0.28.1", isMarkdown: true, weight: 4 },
];

/** They come by themselves: `pagesPerVisit` pages, every `everyDays` days. */
export const CRAWLERS: readonly { userAgent: string; everyDays: number; pagesPerVisit: number }[] = [
  {
    userAgent: "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.3; +https://openai.com/gptbot",
    everyDays: 6,
    pagesPerVisit: 34,
  },
  {
    userAgent:
      "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; OAI-SearchBot/1.3; +https://openai.com/searchbot",
    everyDays: 2,
    pagesPerVisit: 9,
  },
  {
    userAgent:
      "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)",
    everyDays: 7,
    pagesPerVisit: 34,
  },
  {
    userAgent:
      "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-SearchBot/1.0; +Claude-SearchBot@anthropic.com)",
    everyDays: 3,
    pagesPerVisit: 7,
  },
  {
    userAgent:
      "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)",
    everyDays: 3,
    pagesPerVisit: 10,
  },
  {
    userAgent: "meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)",
    everyDays: 9,
    pagesPerVisit: 28,
  },
  { userAgent: "CCBot/2.0 (https://commoncrawl.org/faq/)", everyDays: 14, pagesPerVisit: 34 },
  {
    userAgent:
      "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Amazonbot/0.1; +https://developer.amazon.com/support/amazonbot) Chrome/119.0.6045.214 Safari/537.36",
    everyDays: 5,
    pagesPerVisit: 12,
  },
  {
    userAgent:
      "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Googlebot/2.1; +http://www.google.com/bot.html) Chrome/142.0.7444.59 Safari/537.36",
    everyDays: 1,
    pagesPerVisit: 14,
  },
  {
    userAgent:
      "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/116.0.1938.76 Safari/537.36",
    everyDays: 1,
    pagesPerVisit: 8,
  },
  { userAgent: "Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)", everyDays: 4, pagesPerVisit: 22 },
];

export const MONITOR = "Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)";

/** Somebody who tries known holes of other software. */
export const SCANNERS: readonly string[] = ["-", "Go-http-client/1.1", "Mozilla/5.0 zgrab/0.x", "curl/8.5.0"];
