import { isUnder } from "../../paths.ts";
import type { ConfigurationEdits, Site } from "../framework.ts";
import { followRedirects, type RedirectMove } from "./follow-redirects.ts";
import type { Navigation, NavigationEntry, NavigationTarget, PlacedEdit } from "./navigation.ts";
import type { RedirectList } from "./redirects.ts";

type Edits = Pick<Site, "followMove" | "addToNavigation" | "removeFromNavigation">;

export interface NavigationRules {
  navigation: Navigation;
  redirects: RedirectList | undefined;
  /** The navigation may stand in files that only a person can change: those stay as they are. */
  isEditable(path: string): boolean;
  /** Where a page is or would be, also one that is not written yet; undefined outside of the documentation. */
  target(path: string): NavigationTarget | undefined;
  /** How redirects name a page, from its old and its new place; undefined where none is wanted. */
  redirectFor(from: NavigationTarget, to: NavigationTarget): RedirectMove | undefined;
}

/** Asks about a path of the repository what is known of paths inside the documentation. */
export function isInFolder(path: string, folder: string, ask: (pathInDocs: string) => boolean): boolean {
  return isUnder(path, folder) && ask(folder === "" ? path : path.slice(folder.length + 1));
}

/** Edits of a navigation that stands in configuration files, the same for every framework that has one. */
export function createNavigationEdits(rules: NavigationRules): Edits {
  const { navigation, redirects, target, redirectFor } = rules;
  const { entries, groups, name } = navigation;
  const entriesOf = (path: string): NavigationEntry[] => entries.filter(({ page }) => page === path);
  /** True when the edit is made. */
  const note = (edits: ConfigurationEdits, { file, edit }: PlacedEdit): boolean => {
    if (edit === undefined || file.problem !== undefined || !rules.isEditable(file.path)) return false;
    const known = edits.get(file.path) ?? [];
    if (!known.some((other) => other.start === edit.start && other.end === edit.end))
      edits.set(file.path, [...known, edit]);
    return true;
  };
  const cannotEdit = `The entry cannot be put there without changing more than ${name}, so a person has to do it.`;
  const named = (after: string): string => after.replaceAll(/^\/+|\/+$/g, "");

  /** By its path, by its route, or as the navigation itself writes it. */
  const entryNamed = (after: string): NavigationEntry | undefined => {
    const wanted = named(after);
    const exact = entries.filter(({ page }) => page !== undefined && page === wanted);
    const alike = entries.filter(
      ({ page, literal }) =>
        named(literal.value) === wanted || (page !== undefined && named(target(page)?.route ?? "") === wanted),
    );
    return [...exact, ...alike].find((entry) => entry.insertAfter !== undefined);
  };

  return {
    followMove({ from, to, after }) {
      const edits: ConfigurationEdits = new Map();
      const route = after.pages.find(({ path }) => path === to)?.route;
      const old = target(from);
      const moved = typeof route === "string" ? { path: to, route } : target(to);
      if (old === undefined || moved === undefined) return { edits, navigationEntries: 0, redirect: null };
      let navigationEntries = 0;
      for (const entry of entriesOf(from)) {
        const made = entry.rename(moved).map((placed) => note(edits, placed));
        navigationEntries += made.includes(true) ? 1 : 0;
      }
      const move = redirectFor(old, moved);
      if (redirects === undefined || move === undefined) return { edits, navigationEntries, redirect: null };
      const followed = followRedirects(redirects, move);
      const made = followed.edits.map((edit) => note(edits, { file: redirects.file, edit }));
      const isAdded = followed.added && made.at(-1) === true;
      const redirect = isAdded ? { path: redirects.file.path, source: move.from, destination: move.to } : null;
      return { edits, navigationEntries, redirect };
    },

    addToNavigation(path, place) {
      const edits: ConfigurationEdits = new Map();
      const page = target(path);
      if (page === undefined) return { refused: `\`${path}\` does not lie in a folder of the documentation.` };
      if (entriesOf(path).length > 0) return { refused: `\`${path}\` is in ${name} already.` };
      if (place.after === undefined && place.group === undefined && navigation.isGenerated(path)) return edits;
      if (place.after !== undefined) {
        const entry = entryNamed(place.after);
        if (entry?.insertAfter === undefined) {
          if (navigation.isGenerated(path)) return edits;
          return {
            refused: navigation.refusal ?? `There is no page \`${place.after}\` in ${name} to put this one after.`,
          };
        }
        return note(edits, entry.insertAfter(page)) ? edits : { refused: cannotEdit };
      }
      const labels = [...new Set(groups.map(({ label }) => `"${label}"`))];
      const choice = labels.length === 0 ? "It has no groups." : `Its groups: ${labels.join(", ")}.`;
      if (place.group === undefined) {
        return {
          refused: navigation.refusal ?? `Say which group of ${name} the page goes to, or after which page. ${choice}`,
        };
      }
      const wanted = place.group.trim().toLowerCase();
      const matching = groups.filter(({ label }) => label.toLowerCase() === wanted);
      const [group] = matching;
      if (group === undefined) {
        if (navigation.isGenerated(path)) return edits;
        return { refused: navigation.refusal ?? `There is no group "${place.group}" in ${name}. ${choice}` };
      }
      if (matching.length > 1) {
        return {
          refused: `There are ${matching.length} groups named "${place.group}" in ${name}; name a page to put this one after instead.`,
        };
      }
      return note(edits, group.append(page)) ? edits : { refused: cannotEdit };
    },

    removeFromNavigation(path) {
      const edits: ConfigurationEdits = new Map();
      for (const entry of entriesOf(path)) {
        const removed = entry.remove?.();
        if (removed !== undefined) note(edits, removed);
      }
      return edits;
    },
  };
}
