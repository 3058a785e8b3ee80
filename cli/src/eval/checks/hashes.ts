import { createHash } from "node:crypto";
import Type from "typebox";
import { defineCheck, listed, type CheckKind } from "./check-kind.ts";

const oid = Type.String({ pattern: "^[0-9a-f]{40,64}$" });

/** Checks that know the right result and hold nothing of it but its hash. */
export const HASH_CHECKS: Readonly<Record<string, CheckKind>> = {
  tree: defineCheck(oid, "the git object id of the whole resulting tree", async (wanted, { tree }) => {
    const found = (await tree.git(["rev-parse", `${tree.result}^{tree}`])).trim();
    return found === wanted ? [] : [`the resulting tree is ${found}, not ${wanted}.`];
  }),
  changesHash: defineCheck(
    Type.String({ pattern: "^[0-9a-f]{64}$" }),
    "the SHA-256 of `git diff-tree -r --no-renames --no-abbrev BASE RESULT`",
    async (wanted, { tree }) => {
      const { base, result } = tree;
      const args = ["-c", "core.quotePath=true", "diff-tree", "-r", "--no-renames", "--no-abbrev", base, result];
      const diff = await tree.git(args);
      const found = createHash("sha256").update(diff).digest("hex");
      if (found === wanted) return [];
      const files = [...tree.changes].map(([path, kind]) => `${path} (${kind})`);
      return [
        `the changes are not those of the reference: ${files.length === 0 ? "nothing changed" : listed(files)}. Their hash is ${found}.`,
      ];
    },
  ),
  blobs: defineCheck(
    Type.Record(Type.String(), oid, { minProperties: 1 }),
    "git object ids by path: these files must have exactly this content",
    async (wanted, { tree }) => {
      const listing = await tree.git(["ls-tree", "-r", "-z", tree.result]);
      const found = new Map(
        listing.split("\0").flatMap((record) => {
          const [entry = "", path = ""] = record.split("\t");
          return path === "" ? [] : [[path, entry.split(" ")[2] ?? ""] as const];
        }),
      );
      return Object.entries(wanted)
        .filter(([path, blob]) => found.get(path) !== blob)
        .map(([path]) => (found.has(path) ? `${path} has other content than the reference.` : `${path} is not there.`));
    },
  ),
};
