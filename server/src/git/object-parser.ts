export type ObjectType = "blob" | "tree" | "commit" | "tag";

/** One answer of `cat-file --batch-command`: the object's header, and its bytes when they were asked for. */
export type ObjectAnswer = { oid: string; type: ObjectType; size: number; bytes?: Buffer } | undefined;

const OBJECT_TYPES: readonly string[] = ["blob", "tree", "commit", "tag"] satisfies ObjectType[];

function isObjectType(type: string | undefined): type is ObjectType {
  return type !== undefined && OBJECT_TYPES.includes(type);
}

/**
 * Cuts the output of `git cat-file --batch-command` into answers. `expectsBytes` tells, for the oldest open request,
 * whether its answer carries the content. Format: git-cat-file(1), "BATCH OUTPUT".
 */
export function createObjectParser(expectsBytes: () => boolean, answer: (answer: ObjectAnswer) => void) {
  // Chunks are kept as they come and joined once per answer: joining at each chunk is quadratic for a large blob.
  let chunks: Buffer[] = [];
  let held = 0;
  let wanted = 1;
  let header: { oid: string; type: ObjectType; size: number } | undefined;

  function join(): Buffer {
    const [first] = chunks;
    const whole = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
    chunks = [whole];
    return whole;
  }

  function drop(bytes: number): void {
    const rest = join().subarray(bytes);
    chunks = [rest];
    held = rest.length;
  }

  function parseHeader(): boolean {
    const whole = join();
    const end = whole.indexOf(0x0a);
    if (end === -1) {
      wanted = held + 1;
      return false;
    }
    const match = /^([0-9a-f]{40,64}) (\w+) (\d+)$/.exec(whole.toString("utf8", 0, end));
    drop(end + 1);
    wanted = 1;
    const [, oid, type, size] = match ?? [];
    // Anything but `<oid> <type> <size>` is one of git's "<name> missing", "<name> ambiguous", ….
    if (oid === undefined || !isObjectType(type)) answer(undefined);
    else if (expectsBytes()) {
      header = { oid, type, size: Number(size) };
      wanted = header.size + 1;
    } else answer({ oid, type, size: Number(size) });
    return true;
  }

  return {
    push(chunk: Buffer): void {
      chunks.push(chunk);
      held += chunk.length;
      while (held >= wanted) {
        if (header === undefined) {
          if (!parseHeader()) return;
        } else {
          // Copied, so that a small file does not keep a whole pipe buffer alive.
          const bytes = Buffer.from(join().subarray(0, header.size));
          const done = { ...header, bytes };
          drop(header.size + 1);
          header = undefined;
          wanted = 1;
          answer(done);
        }
      }
    },
  };
}
