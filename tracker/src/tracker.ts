/**
 * Tells a Docent service which pages people look at. It runs in the pages of a documentation site, whose work it must never
 * disturb: what fails here fails silently. `npm run generate` writes the file that is served, `tracker.js`, from it.
 *
 *     <script defer src="https://docent.example.com/tracker.js" data-project="prj_…"></script>
 *
 * It stores nothing in the browser. It sends the page's address and the one that linked to it, without query and fragment.
 */

/** What the page may have, and TypeScript does not know of. */
interface TrackedWindow extends Omit<Window, "navigation"> {
  /** Absent before Safari 26.2 and Firefox 147. */
  readonly navigation?: EventTarget;
  readonly document: Document & { readonly prerendering?: boolean };
  readonly navigator: Navigator & { readonly globalPrivacyControl?: boolean };
  [mark: `docent:${string}`]: true;
}

((page: TrackedWindow) => {
  const { document, history, location, navigator, navigation } = page;
  let referrer: string | undefined = document.referrer;
  let endpoint: string;
  let isBeaconAllowed: boolean;
  let shown: string | undefined;

  function send(body: string): void {
    try {
      if (isBeaconAllowed && navigator.sendBeacon(endpoint, body)) return;
    } catch {}
    fetch(endpoint, { method: "POST", body, keepalive: true, credentials: "omit" }).catch(() => {});
  }

  function view(): void {
    try {
      const url = withoutQuery(location.href);
      // The spellings of one address that frameworks replace with each other: they are one page, and one view.
      const address = url.replace(/(\/index)?(\.html?|\.mdx?)?\/?$/, "");
      if (address === shown) return;
      shown = address;
      send(
        JSON.stringify({
          url,
          // What is undefined is left out.
          status: statusOf(url),
          referrer: (referrer && withoutQuery(referrer)) || undefined,
          globalPrivacyControl: navigator.globalPrivacyControl || undefined,
        }),
      );
      referrer = undefined;
    } catch {}
  }

  function start(): void {
    view();
    // A page that comes back from the back/forward cache would otherwise have been loaded, and counted, again.
    page.addEventListener("pageshow", (event) => {
      if (!event.persisted) return;
      shown = undefined;
      view();
    });
    if (navigation) {
      navigation.addEventListener("currententrychange", view);
      return;
    }
    page.addEventListener("popstate", view);
    for (const method of ["pushState", "replaceState"] as const) {
      const original = history[method];
      history[method] = function (...parameters) {
        original.apply(this, parameters);
        view();
      };
    }
  }

  try {
    const script = document.currentScript ?? document.querySelector("script[data-project]");
    const { project, test, send: transport } = (script as HTMLScriptElement).dataset;
    const isTest = navigator.webdriver || /^(localhost|127\..*|\[::1\]|.*\.localhost)$/.test(location.hostname);
    if (!project || page[`docent:${project}`] || !location.protocol.startsWith("http")) return;
    if (isTest && test === undefined) return;
    page[`docent:${project}`] = true;
    endpoint = new URL(`v1/collect/${project}`, (script as HTMLScriptElement).src).href;
    isBeaconAllowed = transport !== "fetch";
    if (document.prerendering) document.addEventListener("prerenderingchange", start, { once: true });
    else start();
  } catch {}

  /** The status that the page was loaded with, so that a missing page counts as one; undefined where the browser does not tell. */
  function statusOf(url: string): number | undefined {
    const [load] = page.performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    return (load && withoutQuery(load.name) === url && load.responseStatus) || undefined;
  }

  function withoutQuery(address: string): string {
    return address.replace(/[?#].*/, "");
  }
})(window as unknown as TrackedWindow);
