import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createClassifier } from "./classify.ts";

const classify = createClassifier();

/** What browsers are neither people's on pages nor on Markdown. */
function notHuman(userAgents: readonly string[]): string[] {
  return userAgents.filter((userAgent) =>
    [false, true].some((isMarkdown) => classify({ userAgent, accept: "", isMarkdown }).class !== "human"),
  );
}

test("the browsers of 10,000 visits to real sites are people's", () => {
  // https://www.npmjs.com/package/user-agents: what visitors of many websites sent, weighted as they came.
  const visits = JSON.parse(readFileSync(new URL("user-agents.json", import.meta.resolve("user-agents")), "utf8"));
  const userAgents = [...new Set(visits.map(({ userAgent }: { userAgent: string }) => userAgent))] as string[];
  expect(userAgents.length).toBeGreaterThan(500);
  expect(notHuman(userAgents)).toEqual([]);
});

test("browsers of all kinds, and apps that show pages, are people's", () => {
  const mac = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)";
  const android = "Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/UQ1A.240205.004; wv)";
  const iphone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)";
  const chromium = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0";
  expect(
    notHuman([
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0",
      "Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0",
      "Mozilla/5.0 (Windows NT 10.0; rv:128.0) Gecko/20100101 Firefox/128.0",
      `${mac} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15`,
      `${mac} ${chromium} Safari/537.36 Edg/141.0.0.0`,
      `${mac} ${chromium} Safari/537.36 OPR/122.0.0.0`,
      `${mac} ${chromium} Safari/537.36 Vivaldi/7.6`,
      `${mac} ${chromium} YaBrowser/25.8.0 Safari/537.36`,
      `${mac} ${chromium} Electron/38.2.0 Safari/537.36`,
      `${mac} ${chromium} Slack/4.45.69 Electron/38.2.0 Safari/537.36`,
      `${mac} AppleWebKit/537.36 (KHTML, like Gecko) Code/1.105.1 Chrome/138.0.7204.251 Electron/37.6.0 Safari/537.36`,
      "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
      "Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko",
      `${android} AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/141.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/480.0;]`,
      `${android} AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
      "Mozilla/5.0 (Linux; Android 11; CUBOT X50) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36",
      "Mozilla/5.0 (Android 14; Mobile; rv:143.0) Gecko/143.0 Firefox/143.0",
      `${iphone} Version/18.5 Mobile/15E148 Safari/604.1`,
      `${iphone} CriOS/141.0.7390.41 Mobile/15E148 Safari/604.1`,
      `${iphone} Mobile/15E148 LinkedInApp/9.31`,
      `${iphone} Version/18.5 Mobile/15E148 DuckDuckGo/7 Safari/605.1.15`,
      "Mozilla/5.0 (SMART-TV; Linux; Tizen 8.0) AppleWebKit/537.36 (KHTML, like Gecko) Version/8.0 TV Safari/537.36",
      "Opera/9.80 (Windows NT 6.1; WOW64) Presto/2.12.388 Version/12.18",
      "Lynx/2.9.2 libwww-FM/2.14 SSL-MM/1.4.1 OpenSSL/3.3.1",
    ]),
  ).toEqual([]);
});
