import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { SAMPLE, writeSampleLog } from "./sample-log.ts";

const file = new URL("../../examples/access.log.gz", import.meta.url);

test("the sample log is what its generator writes: node scripts/sample-log.ts", async () => {
  const compressed = await readFile(file);
  // Compressors differ between platforms, what is in it does not.
  expect(gunzipSync(compressed).equals(Buffer.from(writeSampleLog(SAMPLE)))).toBe(true);
  expect(compressed.length).toBeLessThan(300_000);
});

test("another seed or day gives another log of the same kind", () => {
  const other = writeSampleLog({ ...SAMPLE, seed: 1, lastDay: "2027-01-31", days: 7 });
  expect(other).toMatch(/^\S+ - - \[25\/Jan\/2027:/);
  expect(other.trimEnd().split("\n").at(-1)).toContain("[31/Jan/2027:");
});

test("addresses are of the ranges for documentation", () => {
  const addresses = new Set(
    writeSampleLog(SAMPLE)
      .split("\n")
      .map((line) => line.split(" ")[0] ?? ""),
  );
  addresses.delete("");
  for (const address of addresses) {
    expect(address).toMatch(/^(192\.0\.2\.\d+|198\.51\.100\.\d+|203\.0\.113\.\d+|2001:db8:[0-9a-f:]+)$/);
  }
});
