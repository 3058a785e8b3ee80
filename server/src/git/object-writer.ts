import { createHash, randomBytes } from "node:crypto";
import { access, mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { deflate } from "node:zlib";
import type { ObjectType } from "./object-parser.ts";

const compress = promisify(deflate);

export interface ObjectWriter {
  /** Takes an object to be stored and returns its id at once. Storing what is there already does nothing. */
  put(type: ObjectType, content: Uint8Array): string;
  /** Resolves when every object that was put is stored. @throws the first failure. */
  flush(): Promise<void>;
}

/** The id that git gives an object in this format. */
export function objectId(type: ObjectType, content: Uint8Array, format: "sha1" | "sha256"): string {
  return createHash(format).update(`${type} ${content.length}\0`).update(content).digest("hex");
}

/** The object format of a repository, from any id in it. */
export function objectFormatOf(id: string): "sha1" | "sha256" {
  return id.length === 64 ? "sha256" : "sha1";
}

/**
 * Writes loose objects into a repository's `objects` folder, as `git hash-object -w` does: under a temporary name until
 * they are complete. In this process, because a commit of one file is three or more objects and each git process costs
 * more than all of them. Format: "Git Internals - Git Objects", Pro Git.
 * `durable`: on the disk before `flush` resolves. Git keeps references on the disk at once; one that names an object
 * lost with the power is a broken branch.
 */
export function createObjectWriter(options: {
  directory: string;
  format: "sha1" | "sha256";
  durable: boolean;
}): ObjectWriter {
  const { directory, format, durable } = options;
  const writing = new Map<string, Promise<void>>();

  async function store(id: string, type: ObjectType, content: Uint8Array): Promise<void> {
    const folder = join(directory, id.slice(0, 2));
    const path = join(folder, id.slice(2));
    if (await exists(path)) return;
    const packed = await compress(Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]), { level: 1 });
    await mkdir(folder, { recursive: true });
    const temporary = join(folder, `tmp_obj_${randomBytes(6).toString("hex")}`);
    const file = await open(temporary, "wx", 0o444);
    try {
      await file.writeFile(packed);
      if (durable) await file.datasync();
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  }

  return {
    put(type, content) {
      const id = objectId(type, content, format);
      if (!writing.has(id)) {
        const stored = store(id, type, content);
        // Reported by `flush`.
        stored.catch(() => {});
        writing.set(id, stored);
      }
      return id;
    },
    async flush() {
      await Promise.all(writing.values());
    },
  };
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
