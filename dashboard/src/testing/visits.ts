import type { TestService } from "../../../server/src/testing/service.ts";

/** As `POST /v1/collect` takes it. */
export interface Visit {
  path: string;
  /** `YYYY-MM-DD`, in UTC; today when absent. */
  day?: string;
  visitorId?: string;
  ip?: string;
  userAgent?: string;
  status?: number;
}

export const AGENTS = {
  gptBot: "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.3; +https://openai.com/gptbot)",
  chatGpt: "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot",
  claudeBot: "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)",
  bingBot:
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
};

/** Reports visits as a server would. */
export async function sendVisits(
  service: TestService,
  { projectId, key }: { projectId: string; key: string },
  visits: readonly Visit[],
): Promise<void> {
  for (let sent = 0; sent < visits.length; sent += 1_000) {
    const events = visits
      .slice(sent, sent + 1_000)
      .map(({ day, ...visit }) => (day === undefined ? visit : { ...visit, timestamp: `${day}T00:00:01Z` }));
    const response = await fetch(`${service.url}/v1/collect/${projectId}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(events),
    });
    const answer = (await response.json()) as { accepted?: number };
    if (answer.accepted !== events.length) throw new Error(`Not all visits were taken: ${JSON.stringify(answer)}`);
  }
}
