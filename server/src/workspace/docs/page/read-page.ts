import { collectLinks, type FoundLink } from "./collect-links.ts";
import { readFrontMatter } from "./front-matter.ts";
import { headings, headingText } from "./heading-text.ts";
import { createLinePositions } from "./line-positions.ts";
import type { MarkdownProfile, PageFormat } from "./markdown-profile.ts";
import { unreadablePage, type PageFacts, type PageProblem } from "./page-facts.ts";
import { parseMarkdown, type ParsedMarkdown } from "./parse-markdown.ts";
import { scriptFacts } from "./script-facts.ts";

/** What is wrong with MDX that does not parse, at the place that the parser names. */
function syntaxProblem(error: unknown): PageProblem {
  if (error instanceof RangeError) {
    return { kind: "syntax", line: 1, column: 1, message: "The page is nested too deeply to be parsed." };
  }
  const message = error instanceof Error ? error.message : "it cannot be parsed";
  const field = (name: string): unknown => (error instanceof Error ? Reflect.get(error, name) : undefined);
  const [reason, line, column] = [field("reason"), field("line"), field("column")];
  return {
    kind: "syntax",
    line: typeof line === "number" ? line : 1,
    column: typeof column === "number" ? column : 1,
    message: `The page is not valid MDX: ${(typeof reason === "string" ? reason : message).replace(/\.$/, "")}.`,
  };
}

function linksOf({ root, source, destinations }: ParsedMarkdown, profile: MarkdownProfile): FoundLink[] {
  const links = collectLinks(root, source, destinations);
  const includes = (profile.collectIncludes?.(source) ?? []).map((include): FoundLink => ({
    ...include,
    role: "snippet",
    syntax: "html",
    text: null,
    element: null,
  }));
  return includes.length === 0 ? links : [...links, ...includes].sort((left, right) => left.start - right.start);
}

function factsOf(parsed: ParsedMarkdown, text: string, bomLength: number, profile: MarkdownProfile): PageFacts {
  const { root } = parsed;
  const frontMatter = readFrontMatter(root, text, profile.frontMatterMustBePairs);
  const script = scriptFacts(root);
  const anchors = profile.collectAnchors(root, parsed.source);
  const positionOf = createLinePositions(text);
  const firstHeading = headings(root)[0];
  const title = frontMatter.values["title"];
  return {
    links: linksOf(parsed, profile).map((link) => {
      const start = link.start + bomLength;
      const end = link.end + bomLength;
      return { ...link, start, end, written: text.slice(start, end), ...positionOf(start) };
    }),
    anchors: anchors.ids,
    anchorsOpen: anchors.open || script.buildsElements,
    usesGlobalComponents: script.usesGlobalComponents,
    imports: script.imports,
    title:
      typeof title === "string" || typeof title === "number"
        ? String(title)
        : firstHeading === undefined
          ? null
          : headingText(firstHeading).text,
    frontMatter: frontMatter.values,
    problems: frontMatter.problems,
  };
}

/**
 * Reads one page. Never throws: a page that does not parse as MDX has its syntax problem, and what plain Markdown
 * shows of it.
 */
export function readPage(text: string, format: PageFormat, profile: MarkdownProfile): PageFacts {
  const bomLength = text.startsWith("\uFEFF") ? 1 : 0;
  const content = text.slice(bomLength);
  try {
    return factsOf(parseMarkdown(content, format, profile), text, bomLength, profile);
  } catch (error) {
    const problem = syntaxProblem(error);
    if (format === "md" || error instanceof RangeError) return unreadablePage(problem.message);
    try {
      const facts = factsOf(parseMarkdown(content, "md", profile), text, bomLength, profile);
      return { ...facts, anchorsOpen: true, usesGlobalComponents: true, problems: [...facts.problems, problem] };
    } catch {
      return unreadablePage(problem.message, problem.line, problem.column);
    }
  }
}
