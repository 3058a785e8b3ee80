import type { ComparedFile } from "../../codehost/builtin/comparison.ts";
import { markup, type Html } from "./html.ts";
import { parseHunks, type PatchHunk, type PatchLine } from "./patch.ts";
import { markWords, type Piece } from "./words.ts";

/** A file with more lines of diff than this is folded up at first. */
const OPEN_LINES_MAX = 400;
/** Lines of diff on a whole page. Beyond, the files are only named: a page of this size is about 3 MB. */
const PAGE_LINES_MAX = 8000;
/** Lines of diff whose words are compared. The rest is shown by whole lines: 6,000 hard ones took 1.8 s. */
const WORD_LINES_MAX = 1500;
const LINE_CHARACTERS_MAX = 5000;

const STATUS_WORDS: Readonly<Record<ComparedFile["status"], string>> = {
  added: "added",
  deleted: "deleted",
  modified: "",
  renamed: "moved",
  "type-changed": "type changed",
};

export interface FilesOptions {
  /** Where this pull request's images are served, by object id. */
  imagePath: (oid: string) => string;
  /** The page with the whole diff as text. */
  diffPath: string;
}

export function imageType(path: string): string | undefined {
  const types: Readonly<Record<string, string>> = {
    png: "image/png",
    jpg: "image/jpeg",
    jpeg: "image/jpeg",
    gif: "image/gif",
    webp: "image/webp",
    avif: "image/avif",
    ico: "image/x-icon",
    svg: "image/svg+xml",
  };
  return types[path.slice(path.lastIndexOf(".") + 1).toLowerCase()];
}

export function renderCounts({ additions, deletions }: Pick<ComparedFile, "additions" | "deletions">): Html {
  if (additions === null || deletions === null) return markup`<span class="counts muted">binary</span>`;
  if (additions === 0 && deletions === 0) return markup``;
  const plus = markup`<span class="plus" title="${additions} added lines">+${additions}</span>`;
  const minus = markup`<span class="minus" title="${deletions} removed lines">−${deletions}</span>`;
  return markup`<span class="counts">${plus} ${minus}</span>`;
}

function renderText(line: PatchLine, pieces: readonly Piece[] | undefined): Html {
  if (line.text.length > LINE_CHARACTERS_MAX) {
    const more = line.text.length - LINE_CHARACTERS_MAX;
    return markup`${line.text.slice(0, LINE_CHARACTERS_MAX)}<i class="muted"> … ${more} more characters</i>`;
  }
  if (pieces === undefined) return markup`${line.text}`;
  return markup`${pieces.map(({ text, changed }) => (changed ? markup`<b>${text}</b>` : text))}`;
}

function renderHunk(hunk: PatchHunk, index: number, compareWords: boolean): Html {
  const words = compareWords ? markWords(hunk.lines) : new Map<PatchLine, Piece[]>();
  const rows = hunk.lines.map((line) =>
    line.type === "note"
      ? markup`<tr class="note"><td></td><td></td><td>${line.text}</td></tr>\n`
      : markup`<tr class="${line.type}"><td>${line.oldNumber}</td><td>${line.newNumber}</td><td>${renderText(line, words.get(line))}</td></tr>\n`,
  );
  const apart = index > 0 || hunk.context !== "";
  return markup`<tbody>${apart && markup`<tr class="hunk"><td colspan="3">${hunk.context}</td></tr>\n`}${rows}</tbody>`;
}

function renderImages(file: ComparedFile, options: FilesOptions): Html | null {
  if (imageType(file.path) === undefined || (file.status === "renamed" && file.oldOid === file.newOid)) return null;
  const figure = (oid: string | null, caption: string) =>
    oid === null
      ? null
      : markup`<figure>
          <img src="${options.imagePath(oid)}" alt="${file.path}, ${caption}" loading="lazy" />
          <figcaption>${caption}</figcaption>
        </figure>`;
  return markup`<div class="images">${figure(file.oldOid, "before")}${figure(file.newOid, "after")}</div>`;
}

function renderBody(
  file: ComparedFile,
  hunks: readonly PatchHunk[],
  compareWords: boolean,
  options: FilesOptions,
): Html {
  const images = renderImages(file, options);
  if (hunks.length > 0) {
    return markup`${images}<table class="diff"><colgroup><col><col><col></colgroup>${hunks.map((hunk, index) => renderHunk(hunk, index, compareWords))}</table>`;
  }
  if (images !== null) return images;
  const why =
    file.additions === null
      ? "A binary file; its content is not shown."
      : file.oldMode !== file.newMode && file.status === "modified"
        ? `Its mode changed from ${file.oldMode} to ${file.newMode}.`
        : file.status === "renamed"
          ? "Moved without a change."
          : "An empty file.";
  return markup`<p class="why">${why}</p>`;
}

/** The anchor of a file on the page, by its place in the list. */
export function fileAnchor(index: number): string {
  return `file-${index + 1}`;
}

function lineCount(hunks: readonly PatchHunk[]): number {
  return hunks.reduce((sum, { lines }) => sum + lines.length, 0);
}

/**
 * Every changed file with its diff. `parts` are the unified diff's parts in the order of the files; a file beyond
 * them is named without its diff.
 */
export function renderFiles(files: readonly ComparedFile[], parts: readonly string[], options: FilesOptions): Html {
  let at = 0;
  let linesLeft = PAGE_LINES_MAX;
  let wordLinesLeft = WORD_LINES_MAX;
  const shown = files.map((file, index) => {
    // git writes a changed type as a deletion and an addition.
    const count = file.status === "type-changed" ? 2 : 1;
    const own = parts.slice(at, at + count);
    at += count;
    const hunks = own.length < count ? undefined : own.flatMap(parseHunks);
    const lines = hunks === undefined ? 0 : lineCount(hunks);
    const fits = hunks !== undefined && lines <= linesLeft;
    if (fits) linesLeft -= lines;
    const compareWords = lines <= wordLinesLeft;
    if (compareWords) wordLinesLeft -= lines;
    const folded = fits && lines > OPEN_LINES_MAX;
    const word = STATUS_WORDS[file.status];
    return markup`<details class="file" id="${fileAnchor(index)}" ${folded ? null : markup` open`}>
      <summary>
        <span class="path"
          >${file.oldPath === null ? null : markup`<span class="muted">${file.oldPath} → </span>`}${file.path}</span
        >
        ${word === "" ? null : markup`<span class="tag ${file.status}">${word}</span>`}
        ${folded ? markup`<span class="hint">${lines} lines, click to show</span>` : null} ${renderCounts(file)}
      </summary>
      ${fits ? renderBody(file, hunks, compareWords, options) : markup`<p class="why">Too big to show here. Read it in the <a href="${options.diffPath}">whole diff</a>, or fetch the branch.</p>`}
    </details>`;
  });
  return markup`${shown}`;
}
