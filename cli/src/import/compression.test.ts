import { randomBytes } from "node:crypto";
import { gzipSync, zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { DamagedLogError, decompress } from "./compression.ts";

async function read(stored: Buffer, sizes: readonly number[] = []): Promise<Buffer> {
  async function* pieces(): AsyncGenerator<Buffer, void, void> {
    let start = 0;
    for (const size of sizes) {
      yield stored.subarray(start, start + size);
      start += size;
    }
    yield stored.subarray(start);
  }
  const content: Buffer[] = [];
  for await (const piece of decompress(pieces(), "access.log")) content.push(Buffer.from(piece));
  return Buffer.concat(content);
}

test("gzip and zstd of any number of members, in pieces of any size", async () => {
  const bytes = fc.uint8Array({ maxLength: 3_000 }).map((array) => Buffer.from(array));
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(gzipSync, zstdCompressSync),
      fc.array(bytes, { minLength: 1, maxLength: 4 }),
      fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 10 }),
      async (compress, members, sizes) => {
        const stored = Buffer.concat(members.map((member) => compress(member)));
        expect((await read(stored, sizes)).equals(Buffer.concat(members))).toBe(true);
      },
    ),
    { numRuns: 200 },
  );
});

test("what is not compressed stays as it is", async () => {
  expect((await read(Buffer.from("192.0.2.1 - -\n"), [1, 1])).toString()).toBe("192.0.2.1 - -\n");
  expect(await read(Buffer.alloc(0))).toHaveLength(0);
});

test.each([gzipSync, zstdCompressSync])(
  "a broken download is read as far as it goes, and said to be one",
  async (compress) => {
    const content = randomBytes(3_000_000);
    const stored = compress(content).subarray(0, 2_500_000);
    let bytes = 0;
    const reading = async (): Promise<void> => {
      async function* pieces(): AsyncGenerator<Buffer, void, void> {
        yield stored;
      }
      for await (const piece of decompress(pieces(), "access.log.gz")) {
        expect(piece.equals(content.subarray(bytes, bytes + piece.length))).toBe(true);
        bytes += piece.length;
      }
    };
    await expect(reading()).rejects.toThrow(DamagedLogError);
    expect(bytes).toBeGreaterThan(1_000_000);
  },
);

test("other compressions are refused with what to run", async () => {
  await expect(read(Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]))).rejects.toMatchObject({
    message: expect.stringContaining("xz"),
    hint: "Decompress it on the way: xz -dc access.log | docent import -",
  });
});
