import type { DocsFiles } from "../docs-files.ts";
import { isUnder, joinPath } from "../paths.ts";
import type { Resolution } from "./framework.ts";
import { bareRoute } from "./route.ts";

export interface AddressRules {
  files: DocsFiles;
  /** The path that the whole site is served under, e.g. `/docs`; `/` for the root. */
  base: string;
  /** Paths of pages by their bare routes, without the base. */
  pages: ReadonlyMap<string, string>;
  /** Folders whose files are served from the root as they are. */
  publicFolders: readonly string[];
  /** Destinations by the bare routes that redirects lead away from. */
  redirects: ReadonlyMap<string, string>;
  /** Something else than the pages answers at this route, as far as can be told. */
  isGenerated(route: string): boolean;
  /** Nothing but what is known here can answer at this route. */
  isOwned(route: string): boolean;
}

export interface Addresses {
  /** Where an absolute path of the site leads, its base in front or not. */
  lookUp(path: string): Resolution;
  /** The file that is served at this path as it is. */
  publicFile(path: string): string | undefined;
}

const REDIRECT_HOPS_MAX = 10;

export function createAddresses(rules: AddressRules): Addresses {
  const { files, pages, redirects } = rules;
  const base = bareRoute(rules.base);

  const formsOf = (path: string): string[] => {
    const route = bareRoute(path);
    return base !== "/" && isUnder(route, base) ? [bareRoute(route.slice(base.length)), route] : [route];
  };
  const fileAt = (route: string): string | undefined =>
    rules.publicFolders
      .flatMap((folder) =>
        ["", "/index.html", ".html"].map((end) => joinPath(folder, `.${route === "/" ? "" : route}${end}`)),
      )
      .find((path) => path !== undefined && files.has(path));

  const one = (route: string): Resolution | undefined => {
    const page = pages.get(route) ?? pages.get(bareRoute(route.replace(/(?:\/index)?\.html$/, "")));
    if (page !== undefined) return { type: "page", path: page };
    const file = fileAt(route);
    if (file !== undefined) return { type: "file", path: file };
    return rules.isGenerated(route) ? { type: "generated" } : undefined;
  };

  const follow = (route: string, hops: number): Resolution | undefined => {
    const direct = one(route);
    const destination = redirects.get(route);
    if (direct !== undefined || destination === undefined) return direct;
    if (hops > REDIRECT_HOPS_MAX || !destination.startsWith("/")) return { type: "generated" };
    const [end] = formsOf(destination.replace(/[?#].*$/s, ""));
    const found = end === undefined ? undefined : follow(end, hops + 1);
    return found?.type === "page" ? { ...found, redirected: true } : (found ?? { type: "generated" });
  };

  return {
    lookUp(path) {
      const forms = formsOf(path);
      for (const form of forms) {
        const found = follow(form, 0);
        if (found !== undefined) return found;
      }
      return forms.some((form) => rules.isOwned(form)) ? { type: "missing" } : { type: "unknown" };
    },
    publicFile: (path) =>
      formsOf(path)
        .map(fileAt)
        .find((file) => file !== undefined),
  };
}
