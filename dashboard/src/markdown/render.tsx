import { Anchor } from "@mantine/core";
import { IconPhoto } from "@tabler/icons-react";
import { createElement, type ReactNode } from "react";
import classes from "./markdown.module.css";
import type { MarkdownElement, MarkdownNode } from "./tree.ts";

export type LineRange = [from: number, to: number];

/** The smallest blocks that a reader takes in at once. */
const MARKED_TAGS: readonly string[] = ["p", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "tr", "front-matter"];

/** The elements of a text; those with changed lines are marked. */
export function renderNodes(nodes: readonly MarkdownNode[], changed: readonly LineRange[]): ReactNode[] {
  // A text is never rearranged, only read anew.
  return nodes.map((node, index) => (typeof node === "string" ? node : renderElement(node, changed, index)));
}

function renderElement(element: MarkdownElement, changed: readonly LineRange[], key: number): ReactNode {
  const { tag, properties, children } = element;
  const content = renderNodes(children, changed);
  const mark = isChanged(element, changed) ? classes.changed : undefined;
  switch (tag) {
    case "a":
      return properties.href === undefined ? (
        <span key={key} className={classes.inert} title={properties.source}>
          {content}
        </span>
      ) : (
        <Anchor key={key} href={properties.href} target="_blank" rel="noopener noreferrer nofollow" underline="always">
          {content}
        </Anchor>
      );
    case "img":
      return (
        <span key={key} className={classes.image}>
          <IconPhoto size={16} aria-label="Image:" role="img" />
          {properties.alt !== "" && <span>{properties.alt}</span>}
          <bdi className={classes.address}>{properties.source}</bdi>
        </span>
      );
    case "input":
      return (
        <input key={key} type="checkbox" checked={properties.isChecked === true} readOnly disabled aria-label="Done" />
      );
    case "h1":
    case "h2":
    case "h3":
    case "h4":
    case "h5":
    case "h6":
      // Below the headings of the page that the text is shown in.
      return (
        <div key={key} role="heading" aria-level={Math.min(6, Number(tag[1]) + 3)} className={join(classes[tag], mark)}>
          {content}
        </div>
      );
    case "table":
      return (
        // A region that scrolls must be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <div key={key} className={classes.table} role="region" aria-label="Table" tabIndex={0}>
          <table>{content}</table>
        </div>
      );
    case "th":
    case "td":
      return createElement(tag, { key, style: { textAlign: properties.align } }, ...content);
    case "ol":
      return createElement(tag, { key, start: properties.start }, ...content);
    case "li":
      return (
        <li key={key} className={isTightChange(element, changed) ? classes.changed : undefined}>
          {content}
        </li>
      );
    case "component":
      return <ComponentBox key={key} element={element} content={content} />;
    case "front-matter":
      return (
        <dl key={key} className={join(classes.frontMatter, mark)} aria-label="Front matter">
          {properties.fields?.map(([name, value], index) => (
            // oxlint-disable-next-line react/no-array-index-key
            <div key={index}>
              <dt>{name}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ))}
        </dl>
      );
    case "br":
    case "hr":
      return createElement(tag, { key });
    case "p":
    case "pre":
    case "tr":
    case "ul":
    case "strong":
    case "em":
    case "del":
    case "code":
    case "sup":
    case "blockquote":
    case "section":
    case "thead":
    case "tbody":
      return createElement(tag, { key, className: mark }, ...content);
  }
}

function ComponentBox({ element, content }: { element: MarkdownElement; content: ReactNode[] }) {
  const { name, fields = [], isInline } = element.properties;
  const title = fields.find(([field]) => field === "title" || field === "label")?.[1];
  const others = fields.filter(([field]) => field !== "title" && field !== "label");
  const label = (
    <span className={classes.componentLabel}>
      <code>{name}</code>
      {title !== undefined && <strong> {title}</strong>}
      {others.map(([field, value]) => (
        <span key={field} className={classes.componentField}>
          {" "}
          {value === "" ? field : `${field}: ${value}`}
        </span>
      ))}
    </span>
  );
  if (isInline === true) {
    return (
      <span className={classes.inlineComponent}>
        {label} {content}
      </span>
    );
  }
  return (
    <div className={classes.component}>
      {label}
      {content}
    </div>
  );
}

function touches({ lines }: MarkdownElement, changed: readonly LineRange[]): boolean {
  return lines !== null && changed.some(([from, to]) => from <= lines[1] && to >= lines[0]);
}

function isChanged(element: MarkdownElement, changed: readonly LineRange[]): boolean {
  return MARKED_TAGS.includes(element.tag) && touches(element, changed);
}

/** An item without blocks of its own, which would be marked instead. */
function isTightChange(element: MarkdownElement, changed: readonly LineRange[]): boolean {
  const hasBlocks = element.children.some(
    (child) => typeof child !== "string" && ["p", "ul", "ol", "pre", "blockquote", "table"].includes(child.tag),
  );
  return !hasBlocks && touches(element, changed);
}

function join(...names: (string | undefined)[]): string {
  return names.filter((name) => name !== undefined).join(" ");
}
