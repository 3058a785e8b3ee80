import Type from "typebox";
import { defineCheck, listed, type CheckKind, type DocsProblem } from "./check-kind.ts";
import { pathsSchema } from "./files.ts";

const countSchema = Type.Integer({ minimum: 0 });

const shownProblem = ({ path, line, message }: DocsProblem): string => `${path}:${line}: ${message}`;

/** Checks that need to know how the documentation's framework reads it. */
export const DOCS_CHECKS: Readonly<Record<string, CheckKind>> = {
  introduced: defineCheck(countSchema, "a number: how many new problems there may be", async (most, context) => {
    const { introduced } = await context.docs();
    return introduced.length <= most
      ? []
      : [`the change brought ${introduced.length} problems: ${listed(introduced.map(shownProblem))}`];
  }),
  problems: defineCheck(countSchema, "a number: how many problems there may be in all", async (most, context) => {
    const { problems } = await context.docs();
    return problems.length <= most
      ? []
      : [`the documentation has ${problems.length} problems: ${listed(problems.map(shownProblem))}`];
  }),
  inNavigation: defineCheck(pathsSchema, "a page's path or a list of them", async (paths, context) => {
    const docs = await context.docs();
    const missing: string[] = [];
    for (const path of [paths].flat()) if (!(await docs.inNavigation(path))) missing.push(path);
    return missing.map((path) => `${path} is not in the navigation.`);
  }),
  notInNavigation: defineCheck(pathsSchema, "a page's path or a list of them", async (paths, context) => {
    const docs = await context.docs();
    const present: string[] = [];
    for (const path of [paths].flat()) if (await docs.inNavigation(path)) present.push(path);
    return present.map((path) => `${path} is still in the navigation.`);
  }),
  link: defineCheck(
    Type.Object(
      { path: Type.String({ minLength: 1 }), target: Type.String({ minLength: 1 }) },
      { additionalProperties: false },
    ),
    "`path` of a page and `target`, the link as it is written there",
    async ({ path, target }, { tree, docs }) => {
      const text = await tree.read(path);
      if (text === undefined) return [`${path} is not there.`];
      // As the whole address of a link: behind a bracket or a quote, up to the other.
      const isThere = [`(${target})`, `(${target} `, `"${target}"`, `'${target}'`, `<${target}>`, `: ${target}\n`].some(
        (form) => text.includes(form),
      );
      if (!isThere) return [`${path} has no link to ${target}.`];
      const problem = (await docs()).problems.find((each) => each.path === path && each.target === target);
      return problem === undefined ? [] : [`the link does not resolve: ${shownProblem(problem)}`];
    },
  ),
};
