import slugify from "@sindresorhus/slugify";
import fc from "fast-check";
import { expect, it } from "vitest";
import { librarySlug } from "./library-slug.ts";

const word = fc.constantFrom(
  "APIs",
  "OAuth2",
  "it's",
  "don't",
  "robots.txt",
  "HTTPServer",
  "a_b",
  "--",
  "x-t-s",
  "&",
  "^",
  "`",
  "é",
  "10T",
);

it("is what the library makes of any text", () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: "grapheme" }),
    fc.array(word).map((words) => words.join(" ")),
  );
  fc.assert(
    fc.property(text, fc.boolean(), (title, decamelize) => {
      expect(librarySlug(title, { decamelize })).toBe(slugify(title, { decamelize }));
    }),
    { numRuns: 400 },
  );
  for (let code = 0; code < 128; code += 1) {
    const title = `a${String.fromCharCode(code)}B s`;
    expect(librarySlug(title, { decamelize: true })).toBe(slugify(title, { decamelize: true }));
  }
});
