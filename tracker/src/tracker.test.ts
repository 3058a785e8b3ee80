import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { HAS_BROWSER, launchBrowsers, type TestBrowsers } from "./testing/browser.ts";
import { startSite, type TestSite } from "./testing/site.ts";

let site: TestSite;
let browsers: TestBrowsers;
let docs: string;
let docent: string;

let context: BrowserContext;
let page: Page;
let projectId: string;
/** What went wrong in the page: nothing ever may. */
let pageErrors: string[];
let projects = 0;

describe.skipIf(!HAS_BROWSER)("the tracker, in Chromium", () => {
  beforeAll(async () => {
    site = await startSite();
    browsers = await launchBrowsers();
    docs = `http://docs.example.com:${site.port}`;
    docent = `http://docent.example.com:${site.port}`;
  });
  afterAll(async () => {
    await browsers?.close();
    await site?.close();
  });

  beforeEach(async () => {
    projects += 1;
    projectId = `prj_${projects}`;
    await openContext("person");
  });
  afterEach(async () => {
    await context.close();
    expect(pageErrors).toEqual([]);
  });

  async function openContext(kind: "person" | "automated"): Promise<void> {
    await context?.close();
    context = await browsers[kind].newContext();
    page = await context.newPage();
    pageErrors = [];
    page.on("pageerror", (error) => pageErrors.push(String(error)));
  }

  function tag(attributes = "", project = projectId): string {
    return `<script defer src="${docent}/tracker.js" data-project="${project}" ${attributes}></script>`;
  }

  function address(path: string, html = tag(), parameters: Record<string, string> = {}): string {
    return `${docs}${path}?${new URLSearchParams({ html, ...parameters }).toString()}`;
  }

  /** The paths of the views so far, known once the page `/end` has been looked at and its view has arrived. */
  async function pathsUntilEnd(): Promise<string[]> {
    await page.evaluate(() => history.pushState(null, "", "/end"));
    const paths = () => site.views(projectId).map(({ body }) => new URL(body.url).pathname);
    while (!paths().includes("/end")) await site.arrived(projectId, paths().length + 1);
    return paths().filter((path) => path !== "/end");
  }

  test("the first view: the address without its query, as text from the page's origin, and nothing kept", async () => {
    await page.goto(`${address("/guide/install")}&q=secret#part`, { referer: "https://search.example.com/?q=private" });
    const [view] = await site.arrived(projectId, 1);
    expect(view?.body).toEqual({ url: `${docs}/guide/install`, status: 200, referrer: "https://search.example.com/" });
    expect(view?.headers["content-type"]).toMatch(/^text\/plain/);
    expect(view?.headers.origin).toBe(docs);
    expect([...site.collectMethods]).toEqual(["POST"]);
    const kept = await page.evaluate(async () => ({
      cookie: document.cookie,
      stored: localStorage.length + sessionStorage.length,
      databases: (await indexedDB.databases()).length,
    }));
    expect(kept).toEqual({ cookie: "", stored: 0, databases: 0 });
    expect(await context.cookies()).toEqual([]);
  });

  test("a page whose referrer policy hides the origin names it all the same", async () => {
    await page.goto(address("/", `<meta name="referrer" content="no-referrer">${tag('data-send="fetch"')}`));
    const [view] = await site.arrived(projectId, 1);
    expect(view?.headers.origin).toBe(docs);
    expect(view?.headers.referer).toBeUndefined();
  });

  describe.each([
    ["with the Navigation API", () => page.addInitScript("")],
    [
      "in older browsers",
      () => page.addInitScript(() => Object.defineProperty(window, "navigation", { value: undefined })),
    ],
  ])("navigation without a load, %s", (_, prepare) => {
    beforeEach(async () => {
      await prepare();
      await page.goto(address("/first"));
      await site.arrived(projectId, 1);
    });

    test("each new path is a view, whoever links to it, and so is going back", async () => {
      await page.evaluate(() => history.pushState({ kept: 1 }, "", "/second?tab=1"));
      await site.arrived(projectId, 2);
      await page.evaluate(() => history.replaceState(null, "", "/third"));
      await site.arrived(projectId, 3);
      await page.evaluate(() => history.back());
      await site.arrived(projectId, 4);
      expect(site.views(projectId).map(({ body }) => body)).toEqual([
        { url: `${docs}/first`, status: 200 },
        { url: `${docs}/second` },
        { url: `${docs}/third` },
        { url: `${docs}/first`, status: 200 },
      ]);
    });

    test("another query, place or spelling of the same page is none", async () => {
      await page.evaluate(() => {
        history.pushState(null, "", "?tab=2");
        history.pushState(null, "", "#place");
        location.hash = "other";
        history.replaceState({ scroll: 1 }, "", "/first/");
        history.replaceState(null, "", "/first/index.html");
        history.replaceState(null, "", "/first.md");
        history.replaceState(null, "", "/first");
      });
      expect(await pathsUntilEnd()).toEqual(["/first"]);
    });

    test("what the page calls works as before, its errors included", async () => {
      const seen = await page.evaluate(() => {
        history.pushState({ kept: 1 }, "", "/second");
        let error = "";
        try {
          history.pushState(null, "", "https://elsewhere.example.com/");
        } catch (thrown) {
          error = thrown instanceof DOMException ? thrown.name : String(thrown);
        }
        return { state: history.state, path: location.pathname, error };
      });
      expect(seen).toEqual({ state: { kept: 1 }, path: "/second", error: "SecurityError" });
      expect(await pathsUntilEnd()).toEqual(["/first", "/second"]);
    });
  });

  test("a page that is not there is said to be missing, and the next one is not", async () => {
    await page.goto(address("/gone", tag(), { status: "404" }));
    await site.arrived(projectId, 1);
    await page.evaluate(() => history.pushState(null, "", "/found"));
    await site.arrived(projectId, 2);
    expect(site.views(projectId).map(({ body }) => body)).toEqual([
      { url: `${docs}/gone`, status: 404 },
      { url: `${docs}/found` },
    ]);
  });

  test("a page is one view for each project, however often the script is loaded", async () => {
    await page.goto(address("/twice", tag() + tag() + tag("", `${projectId}b`)));
    await site.arrived(`${projectId}b`, 1);
    expect(await pathsUntilEnd()).toEqual(["/twice"]);
    await page.goto(address("/again"));
    await site.arrived(projectId, 3);
  });

  test("a script that another script adds works too", async () => {
    const loader = `<script>
      const script = document.createElement("script");
      script.src = "${docent}/tracker.js";
      script.dataset.project = "${projectId}";
      document.head.append(script);
    </script>`;
    await page.goto(address("/added", loader));
    await site.arrived(projectId, 1);
    expect(await pathsUntilEnd()).toEqual(["/added"]);
  });

  // The browser at hand cannot prerender: the page is told what a prerendering browser tells it.
  test("a prerendered page is a view only when it is shown", async () => {
    await page.addInitScript(() => Object.defineProperty(document, "prerendering", { value: true }));
    await page.goto(address("/prerendered", tag() + tag("", `${projectId}b`)));
    expect(site.views(projectId)).toEqual([]);
    await page.evaluate(() => document.dispatchEvent(new Event("prerenderingchange")));
    await site.arrived(projectId, 1);
    await site.arrived(`${projectId}b`, 1);
    expect(await pathsUntilEnd()).toEqual(["/prerendered"]);
  });

  // Nor has it a back/forward cache.
  test("a page that comes back from the back/forward cache is a view again", async () => {
    await page.goto(address("/kept"));
    await site.arrived(projectId, 1);
    await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: false })));
    await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
    await site.arrived(projectId, 2);
    expect(await pathsUntilEnd()).toEqual(["/kept", "/kept"]);
  });

  test("Global Privacy Control is passed on for the service to decide", async () => {
    await page.addInitScript(() => Object.defineProperty(navigator, "globalPrivacyControl", { value: true }));
    await page.goto(address("/private"));
    const [view] = await site.arrived(projectId, 1);
    expect(view?.body.globalPrivacyControl).toBe(true);
  });

  describe("where nobody reads", () => {
    test("a browser that a program drives sends nothing", async () => {
      await openContext("automated");
      await page.goto(address("/driven", tag() + tag("data-test", `${projectId}b`)));
      expect(await page.evaluate(() => navigator.webdriver)).toBe(true);
      await site.arrived(`${projectId}b`, 1);
      expect(site.views(projectId)).toEqual([]);
    });

    test.each(["localhost", "127.0.0.1"])("a site on %s sends nothing, unless it is to be tried out", async (host) => {
      await page.goto(address("/local", tag() + tag("data-test", `${projectId}b`)).replace("docs.example.com", host));
      await site.arrived(`${projectId}b`, 1);
      expect(site.views(projectId)).toEqual([]);
    });
  });

  describe("the page goes on, and is counted where it can be", () => {
    test.each([
      ["is not there", () => Object.defineProperty(navigator, "sendBeacon", { value: undefined })],
      ["refuses", () => Object.defineProperty(navigator, "sendBeacon", { value: () => false })],
      [
        "throws",
        () =>
          Object.defineProperty(navigator, "sendBeacon", {
            value() {
              throw new Error("blocked");
            },
          }),
      ],
    ])("when sendBeacon %s", async (_, block) => {
      await page.addInitScript(block);
      await page.goto(address("/blocked"));
      const [view] = await site.arrived(projectId, 1);
      expect(view?.body.url).toBe(`${docs}/blocked`);
      expect(view?.headers["content-type"]).toMatch(/^text\/plain/);
      expect(view?.headers.origin).toBe(docs);
      expect(site.collectMethods).not.toContain("OPTIONS");
    });

    test("when history is frozen", async () => {
      await page.addInitScript(() => {
        Object.defineProperty(window, "navigation", { value: undefined });
        Object.freeze(history);
      });
      await page.goto(address("/frozen"));
      await site.arrived(projectId, 1);
      await page.evaluate(() => history.pushState(null, "", "/unseen"));
      await page.evaluate(() => history.pushState(null, "", "/also-unseen"));
      await page.evaluate(() => history.back());
      await site.arrived(projectId, 2);
      expect(site.views(projectId).map(({ body }) => body.url)).toEqual([`${docs}/frozen`, `${docs}/unseen`]);
    });

    test("in a sandboxed frame", async () => {
      const inner = new URLSearchParams({ html: tag() });
      const frame = `<iframe sandbox="allow-scripts" src="/inner?${inner.toString()}"></iframe>`;
      await page.goto(address("/outer", frame));
      const [view] = await site.arrived(projectId, 1);
      expect(view?.body.url).toBe(`${docs}/inner`);
      // Docent refuses views from nowhere.
      expect(view?.headers.origin).toBe("null");
    });

    test.each<[string, { project?: string; script?: string; csp?: string; isGone?: boolean }]>([
      ["everything is blocked", { script: "navigator.sendBeacon = fetch = () => { throw new Error('blocked'); }" }],
      ["the site's policy refuses", { csp: "default-src * 'unsafe-inline'; connect-src 'none'" }],
      ["the service is gone", { isGone: true }],
      ["the service is gone, and there are no beacons", { isGone: true, script: "navigator.sendBeacon = undefined" }],
      ["the project is not named", { project: "" }],
    ])("when %s", async (_, { project = projectId, script, csp, isGone = false }) => {
      if (script !== undefined) await page.addInitScript(script);
      if (isGone) await page.route("**/v1/collect/**", (route) => route.abort());
      await page.goto(address("/alone", tag("", project), csp === undefined ? {} : { csp }));
      await page.evaluate(() => history.pushState(null, "", "/elsewhere"));
      expect(await page.evaluate(() => location.pathname)).toBe("/elsewhere");
      expect(await page.textContent("h1")).toBe("/alone");
      expect(site.views(projectId)).toEqual([]);
    });
  });
});
