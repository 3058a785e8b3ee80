import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HAS_BROWSER, launchBrowsers, type TestBrowsers } from "../../../tracker/src/testing/browser.ts";
import { startSite, type TestSite } from "../../../tracker/src/testing/site.ts";
import { startTestService, type TestService } from "../testing/service.ts";

/** By its own name, a headless browser is a bot. */
const CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36";

describe.skipIf(!HAS_BROWSER)("the tracker of a running service, in Chromium", () => {
  let service: TestService;
  let browsers: TestBrowsers;
  let site: TestSite;

  beforeAll(async () => {
    browsers = await launchBrowsers();
    [service, site] = await Promise.all([startTestService(), startSite()]);
  });
  afterAll(() => Promise.all([service?.close(), browsers?.close(), site?.close()]));

  test.each([
    { by: "beacon", attributes: "", refusal: 403 },
    // The browser keeps answers from pages that may not read them.
    { by: "request", attributes: 'data-send="fetch"', refusal: "kept" },
  ])(
    "a person's views, sent by $by, are in the reports, and another site's are not",
    async ({ attributes, refusal }) => {
      const docs = `http://docs.example.com:${site.port}`;
      const { projectId, key } = await service.createProject({ settings: { analytics: { origins: [docs] } } });
      const report = async (name: string): Promise<unknown> => {
        const answer = await fetch(`${service.url}/v1/analytics/${projectId}/${name}`, {
          headers: { authorization: `Bearer ${key}` },
        });
        expect(answer.headers.get("docent-sources")).toBe("tracker");
        return answer.json();
      };

      const tag = `<script defer src="${service.url}/tracker.js" data-project="${projectId}" ${attributes}></script>`;
      const html = new URLSearchParams({ html: tag });
      const context = await browsers.person.newContext({ userAgent: CHROME });
      const page = await context.newPage();
      /** How the view was answered that something leads to. */
      const answerTo = async (action: () => Promise<unknown>): Promise<number | "kept"> => {
        const sent = page.waitForRequest((request) => request.url().endsWith(`/v1/collect/${projectId}`));
        await action();
        const answer = await (await sent).response();
        return answer?.status() ?? "kept";
      };

      expect(await answerTo(() => page.goto(`${docs}/guide/?${html.toString()}`))).toBe(202);
      expect(await answerTo(() => page.evaluate("history.pushState(null, '', '/guide/install.html')"))).toBe(202);
      expect(await answerTo(() => page.evaluate("history.back()"))).toBe(202);
      expect(await answerTo(() => page.goto(`${docs}/gone?status=404&${html.toString()}`))).toBe(202);
      const other = `http://other.example.com:${site.port}/guide?${html.toString()}`;
      expect(await answerTo(() => page.goto(other))).toBe(refusal);
      await context.close();

      expect(await report("visitors")).toMatchObject({
        totals: { human: 1, ai: 0, total: 1 },
        visitors: [
          { path: "/guide", human: 1, ai: 0, total: 1 },
          { path: "/guide/install", human: 1, ai: 0, total: 1 },
        ],
      });
      expect(await report("views")).toMatchObject({ totals: { human: 3, ai: 0, total: 3 } });
      expect(await report("not-found")).toMatchObject({ paths: [{ path: "/gone", human: 1, ai: 0, total: 1 }] });
    },
  );
});
