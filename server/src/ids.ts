import { randomBytes } from "node:crypto";

const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const RANDOM_BITS = 80n;

let lastMilliseconds = -1;
let lastRandom = 0n;

function encode(value: bigint, characters: number): string {
  let text = "";
  for (let rest = value; text.length < characters; rest >>= 5n) text = CROCKFORD[Number(rest & 31n)] + text;
  return text;
}

/**
 * A new id: the prefix, `_`, and a ULID of 26 characters (48 bits of milliseconds, 80 random bits;
 * https://github.com/ulid/spec). Ids made by one process sort in the order they were made, also within a millisecond.
 */
export function createId(prefix: string, now: Date): string {
  const milliseconds = now.getTime();
  if (milliseconds === lastMilliseconds) {
    lastRandom += 1n;
  } else {
    lastMilliseconds = milliseconds;
    // The top bit stays free, so that counting on within the millisecond never overflows.
    lastRandom = BigInt(`0x${randomBytes(10).toString("hex")}`) >> 1n;
  }
  return `${prefix}_${encode((BigInt(milliseconds) << RANDOM_BITS) | lastRandom, 26)}`;
}
