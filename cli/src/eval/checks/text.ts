import Type, { type Static } from "typebox";
import { parse } from "yaml";
import { defineCheck, listed, type CheckContext, type CheckKind } from "./check-kind.ts";
import { matcher, pathsSchema } from "./files.ts";

const searchSchema = Type.Object(
  {
    path: pathsSchema,
    text: Type.Optional(Type.String({ minLength: 1 })),
    regex: Type.Optional(Type.String({ minLength: 1 })),
    /** Of the regular expression; `gm` are always set. */
    flags: Type.Optional(Type.String({ pattern: "^[isu]*$" })),
    count: Type.Optional(
      Type.Union([
        Type.Integer({ minimum: 0 }),
        Type.Object(
          {
            min: Type.Optional(Type.Integer({ minimum: 0 })),
            max: Type.Optional(Type.Integer({ minimum: 0 })),
          },
          { additionalProperties: false },
        ),
      ]),
    ),
  },
  { additionalProperties: false },
);

type Search = Static<typeof searchSchema>;

const TAKES = "`path` (a path, a glob or a list), `text` or `regex` (with `flags`), and for contains `count`";

const fieldSchema = Type.Object(
  {
    path: Type.String({ minLength: 1 }),
    field: Type.String({ minLength: 1 }),
    value: Type.Optional(Type.Unknown()),
    matches: Type.Optional(Type.String({ minLength: 1 })),
    absent: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

/** Checks on what files of the result say. */
export const TEXT_CHECKS: Readonly<Record<string, CheckKind>> = {
  contains: defineCheck(searchSchema, TAKES, async (search, context) => {
    const { total, files } = await countMatches(search, context);
    if (files === 0) return [`no file matches ${[search.path].flat().join(", ")}.`];
    const { count = { min: 1 } } = search;
    const { min = 0, max = Infinity } = typeof count === "number" ? { min: count, max: count } : count;
    if (total >= min && total <= max) return [];
    const wanted = min === max ? `${min}` : max === Infinity ? `at least ${min}` : `${min} to ${max}`;
    return [`expected ${wanted} of ${described(search)} in ${[search.path].flat().join(", ")}, found ${total}.`];
  }),
  lacks: defineCheck(searchSchema, TAKES, async (search, context) => {
    const { where } = await countMatches(search, context);
    return where.length === 0 ? [] : [`${described(search)} still stands in ${listed(where)}.`];
  }),
  frontMatter: defineCheck(
    fieldSchema,
    "`path`, `field`, and one of `value`, `matches` (a regular expression) and `absent: true`",
    async (check, { tree }) => {
      const text = await tree.read(check.path);
      if (text === undefined) return [`${check.path} is not there.`];
      const found = frontMatterOf(text)[check.field];
      const shown = found === undefined ? "missing" : JSON.stringify(found);
      if (check.absent === true) return found === undefined ? [] : [`${check.field} of ${check.path} is ${shown}.`];
      if (check.matches !== undefined) {
        return typeof found === "string" && new RegExp(check.matches, "u").test(found)
          ? []
          : [`${check.field} of ${check.path} is ${shown}, which does not match ${check.matches}.`];
      }
      return JSON.stringify(found) === JSON.stringify(check.value)
        ? []
        : [`${check.field} of ${check.path} is ${shown}, not ${JSON.stringify(check.value)}.`];
    },
  ),
};

async function countMatches(
  search: Search,
  { tree }: CheckContext,
): Promise<{ total: number; files: number; where: string[] }> {
  const paths = tree.paths.filter(matcher(search.path));
  const pattern =
    search.regex === undefined
      ? new RegExp((search.text ?? "").replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), "g")
      : new RegExp(search.regex, `gm${search.flags ?? ""}`);
  let total = 0;
  const where: string[] = [];
  for (const path of paths) {
    const text = (await tree.read(path)) ?? "";
    const found = [...text.matchAll(pattern)];
    total += found.length;
    for (const { index } of found) where.push(`${path}:${text.slice(0, index).split("\n").length}`);
  }
  return { total, files: paths.length, where };
}

const described = ({ text, regex }: Search): string => (regex === undefined ? JSON.stringify(text) : `/${regex}/`);

function frontMatterOf(text: string): Record<string, unknown> {
  const [, block] = /^\uFEFF?---[^\S\n]*\r?\n(.*?)\r?\n---[^\S\n]*(?:\r?\n|$)/s.exec(text) ?? [];
  const parsed: unknown = block === undefined ? undefined : parse(block);
  return typeof parsed === "object" && parsed !== null ? { ...parsed } : {};
}
