import type { ConfigFile } from "../../config/config-file.ts";
import { insertItem, quoted, removeItem, replaceString } from "../../config/literal-edits.ts";
import { property, walkLiteral, type LiteralString } from "../../config/literal.ts";
import { withoutPageSuffix } from "../../paths.ts";
import type { TextEdit } from "../../text-edit.ts";
import type { ConfigurationEdits, Site } from "../framework.ts";
import { documentOf, type Document } from "./docusaurus-documents.ts";
import type { DocusaurusModel } from "./docusaurus-model.ts";
import { splitVersionPrefix } from "./docusaurus-problems.ts";
import { bareRoute } from "../route.ts";
import type { SidebarReference, Sidebars } from "./docusaurus-sidebars.ts";

type Edits = Pick<Site, "addToNavigation" | "removeFromNavigation">;

function note(edits: ConfigurationEdits, file: ConfigFile, edit: TextEdit | undefined): void {
  const known = edits.get(file.path) ?? [];
  if (edit !== undefined && !known.some((other) => other.start === edit.start && other.end === edit.end)) {
    edits.set(file.path, [...known, edit]);
  }
}

function referencesTo(
  model: DocusaurusModel,
  document: Document,
): { sidebars: Sidebars; reference: SidebarReference }[] {
  return model.sidebars
    .filter(({ version, file }) => version.key === document.version.key && file.problem === undefined)
    .flatMap((sidebars) =>
      sidebars.references
        .filter(({ id }) => splitVersionPrefix(id.value, sidebars.version.name).id === document.id)
        .map((reference) => ({ sidebars, reference })),
    );
}

/** The quote that the file's own strings stand in. */
function quoteOf(text: string, near: LiteralString | undefined): string {
  const own = near === undefined ? undefined : text[near.start];
  return own === "'" || own === '"'
    ? own
    : (text.match(/'/g)?.length ?? 0) > (text.match(/"/g)?.length ?? 0)
      ? "'"
      : '"';
}

function followRedirects(
  model: DocusaurusModel,
  edits: ConfigurationEdits,
  oldRoute: string,
  newRoute: string,
): string | undefined {
  const { config } = model;
  if (config === undefined) return undefined;
  const { file, redirects, redirectsArray } = config;
  for (const { to } of redirects) {
    if (bareRoute(to.value.replace(/[?#].*$/s, "")) === oldRoute)
      note(edits, file, replaceString(file.text, to, newRoute));
  }
  if (redirectsArray === undefined || !redirectsArray.complete) return undefined;
  const quote = quoteOf(file.text, redirects[0]?.to);
  const item = `{ from: ${quoted(oldRoute, quote)}, to: ${quoted(newRoute, quote)} }`;
  const hiding = redirects.find(({ from }) => bareRoute(from.value) === newRoute);
  const hidden = hiding === undefined ? undefined : redirectsArray.items[hiding.index];
  const known = redirects.some(({ from }) => bareRoute(from.value) === oldRoute);
  if (known) return undefined;
  // A redirect away from the new address would hide the page: the new one takes its place.
  if (hidden !== undefined && property(hidden, "from")?.kind === "string") {
    note(edits, file, { start: hidden.start, end: hidden.end, text: item });
  } else {
    note(edits, file, insertItem(file.text, redirectsArray, redirectsArray.items.length, item));
  }
  return file.path;
}

/** Links of the navigation bar and the footer that name the page by its address or its id. */
function followTheme(model: DocusaurusModel, edits: ConfigurationEdits, old: Document, moved: Document): number {
  const file = model.config?.file;
  const theme = property(file?.root, "themeConfig");
  let count = 0;
  if (file === undefined || theme === undefined || old.version.locale !== null) return count;
  walkLiteral(theme, (literal) => {
    const to = property(literal, "to");
    const docId = property(literal, "docId");
    if (to?.kind === "string" && bareRoute(to.value) === bareRoute(old.route) && old.route !== moved.route) {
      note(edits, file, replaceString(file.text, to, bareRoute(moved.route)));
      count += 1;
    }
    if (docId?.kind === "string" && docId.value === old.id && old.id !== moved.id) {
      note(edits, file, replaceString(file.text, docId, moved.id));
      count += 1;
    }
  });
  return count;
}

export function followMove(
  before: DocusaurusModel,
  after: DocusaurusModel,
  from: string,
  to: string,
): ReturnType<Site["followMove"]> {
  const edits: ConfigurationEdits = new Map();
  const old = before.documents.get(from);
  const moved = after.documents.get(to);
  if (old === undefined || moved === undefined) return { edits, navigationEntries: 0, redirect: null };
  let navigationEntries = 0;
  if (old.id !== moved.id && old.version.key === moved.version.key) {
    for (const { sidebars, reference } of referencesTo(before, old)) {
      const { prefix } = splitVersionPrefix(reference.id.value, sidebars.version.name);
      note(edits, sidebars.file, replaceString(sidebars.file.text, reference.id, `${prefix}${moved.id}`));
      navigationEntries += 1;
    }
  }
  navigationEntries += followTheme(before, edits, old, moved);
  const [oldRoute, newRoute] = [bareRoute(old.route), bareRoute(moved.route)];
  const path =
    oldRoute === newRoute || old.version.locale !== null
      ? undefined
      : followRedirects(before, edits, oldRoute, newRoute);
  return {
    edits,
    navigationEntries,
    redirect: path === undefined ? null : { path, source: oldRoute, destination: newRoute },
  };
}

export function createDocusaurusEdits(model: DocusaurusModel): Edits {
  /** Also for a page that is not written yet. */
  const documentAt = (path: string): Document | undefined => {
    const version = model.versions.find(({ folder }) => path.startsWith(`${folder}/`) || folder === "");
    return (
      model.documents.get(path) ??
      (version === undefined ? undefined : documentOf(path, version, model.facts.get(path)))
    );
  };

  return {
    addToNavigation(path, place) {
      const document = documentAt(path);
      if (document === undefined) return { refused: `\`${path}\` does not lie in a folder of the documentation.` };
      const own = model.sidebars.filter(
        ({ version, file }) => version.key === document.version.key && file.problem === undefined,
      );
      if (referencesTo(model, document).length > 0) return { refused: `\`${document.id}\` is in the sidebar already.` };
      const edits: ConfigurationEdits = new Map();
      const generated = own.flatMap((sidebars) => sidebars.generated);
      const inGenerated = generated.some(({ folder }) => {
        const name = folder.value.replaceAll(/^\.?\/|\/$/g, "");
        return name === "." || name === "" || document.id.startsWith(`${name}/`);
      });
      // Without a sidebar file Docusaurus generates one from the folders.
      if (inGenerated || own.length === 0) return edits;
      if (place.after !== undefined) {
        const wanted = withoutPageSuffix(place.after.replace(/^\/+/, ""));
        const before = documentAt(place.after.replace(/^\/+/, ""))?.id;
        for (const sidebars of own) {
          const found = sidebars.references.find(({ id, array }) => {
            const plain = splitVersionPrefix(id.value, sidebars.version.name).id;
            return array !== undefined && (plain === wanted || plain === before);
          });
          if (found?.array === undefined) continue;
          const { text } = sidebars.file;
          const item = quoted(document.id, quoteOf(text, found.id));
          note(edits, sidebars.file, insertItem(text, found.array, found.array.items.indexOf(found.item) + 1, item));
          return edits;
        }
        return { refused: `The sidebar has no document \`${place.after}\` to put this one after.` };
      }
      const lists = own.flatMap((sidebars) => sidebars.lists.map((list) => ({ sidebars, ...list })));
      const choice = `Its categories: ${[...new Set(lists.map(({ label }) => `"${label}"`))].join(", ") || "none"}.`;
      if (place.group === undefined)
        return { refused: `Say which category of the sidebar the page goes to, or after which page. ${choice}` };
      const matching = lists.filter(({ label }) => label.toLowerCase() === place.group?.trim().toLowerCase());
      const [list] = matching;
      if (list === undefined) return { refused: `The sidebar has no category "${place.group}". ${choice}` };
      if (matching.length > 1)
        return {
          refused: `The sidebar has ${matching.length} categories named "${place.group}"; name a page to put this one after instead.`,
        };
      const { file, references } = list.sidebars;
      const item = quoted(document.id, quoteOf(file.text, references[0]?.id));
      note(edits, file, insertItem(file.text, list.items, list.items.items.length, item));
      return edits;
    },

    removeFromNavigation(path) {
      const edits: ConfigurationEdits = new Map();
      const document = documentAt(path);
      if (document === undefined) return edits;
      for (const { sidebars, reference } of referencesTo(model, document)) {
        const { array, item } = reference;
        if (array !== undefined)
          note(edits, sidebars.file, removeItem(sidebars.file.text, array, array.items.indexOf(item)));
      }
      return edits;
    },
  };
}
