import type { LogChunk } from "@docent/sdk";
import type { LoggedRequest } from "./formats/format.ts";

/** A chunk is cut when it has this many views, so that the service stores while the log is read on. */
const CHUNK_VIEWS = 40_000;
/** Or this many bytes of distinct texts, as JSON. The service takes 32 MiB, which the lines of one piece of a log never add. */
const TEXT_BYTES_MAX = 4 * 1024 * 1024;
/** The service refuses paths, and cuts user agents, at a tenth of this. */
const TEXT_LENGTH_MAX = 10_000;

type ChunkContent = Omit<LogChunk, "firstLine" | "from" | "to" | "others">;

/** The page views of a part of a log, each distinct text once. */
export interface ChunkBuilder {
  add(request: LoggedRequest, path: string): void;
  isFull(): boolean;
  /** Hands the views out and begins anew. */
  take(): ChunkContent;
}

/**
 * @param decode What a text of the log means; asked once for each distinct one.
 * @param options `ownHosts`: the site's own hosts, whose links are no referrers.
 */
export function createChunkBuilder(
  decode: (text: string) => string,
  { ownHosts, viewsMax = CHUNK_VIEWS }: { ownHosts: readonly string[]; viewsMax?: number | undefined },
): ChunkBuilder {
  const own = new Set(ownHosts);
  let content = createContent();
  let textBytes = 0;
  let lastTime = 0;

  function createContent() {
    return {
      addresses: createDictionary(),
      userAgents: createDictionary(),
      referrers: createDictionary(),
      /** By path, for each status and accept of their own. */
      pages: new Map<string, Map<string, number>>(),
      pageList: [] as LogChunk["pages"],
      seconds: [] as number[],
      addressColumn: [] as number[],
      userAgentColumn: [] as number[],
      pageColumn: [] as number[],
      referrerColumn: [] as number[],
      globalPrivacyControl: [] as number[],
    };
  }

  function decodeText(text: string): string {
    const decoded = decode(text).slice(0, TEXT_LENGTH_MAX).toWellFormed();
    textBytes += Buffer.byteLength(JSON.stringify(decoded));
    return decoded;
  }

  function createDictionary() {
    const positions = new Map<string, number>();
    const texts: string[] = [];
    return {
      texts,
      position(text: string): number {
        const known = positions.get(text);
        if (known !== undefined) return known;
        const decoded = decodeText(text);
        positions.set(flat(text, decoded), texts.length);
        return texts.push(decoded) - 1;
      },
    };
  }

  function pagePosition(path: string, { status, accept }: LoggedRequest): number {
    // Two keys are cheaper than one that is put together for each line.
    const kind = accept === "" ? (KINDS[status] ?? String(status)) : `${status} ${accept}`;
    let ofKind = content.pages.get(kind);
    if (ofKind === undefined) content.pages.set(kind, (ofKind = new Map()));
    const known = ofKind.get(path);
    if (known !== undefined) return known;
    const decoded = decodeText(path);
    ofKind.set(flat(path, decoded), content.pageList.length);
    return content.pageList.push({ path: decoded, status, ...(accept === "" ? {} : { accept }) }) - 1;
  }

  function referrerHost({ referrer, host }: LoggedRequest): string {
    if (referrer === "") return "";
    const scheme = referrer.indexOf("://");
    if (scheme === -1) return "";
    const slash = referrer.indexOf("/", scheme + 3);
    const name = slash === -1 ? referrer.slice(scheme + 3) : referrer.slice(scheme + 3, slash);
    return name === host || own.has(name) ? "" : name;
  }

  return {
    add(request, path) {
      content.seconds.push(request.time - lastTime);
      lastTime = request.time;
      content.addressColumn.push(content.addresses.position(request.address));
      content.userAgentColumn.push(content.userAgents.position(request.userAgent));
      content.pageColumn.push(pagePosition(path, request));
      content.referrerColumn.push(content.referrers.position(referrerHost(request)));
      if (request.globalPrivacyControl) content.globalPrivacyControl.push(content.seconds.length - 1);
    },

    isFull: () => content.seconds.length >= viewsMax || textBytes >= TEXT_BYTES_MAX,

    take() {
      const taken = content;
      content = createContent();
      textBytes = 0;
      lastTime = 0;
      return {
        addresses: taken.addresses.texts,
        userAgents: taken.userAgents.texts,
        pages: taken.pageList,
        referrers: taken.referrers.texts,
        views: {
          seconds: taken.seconds,
          addresses: taken.addressColumn,
          userAgents: taken.userAgentColumn,
          pages: taken.pageColumn,
          referrers: taken.referrerColumn,
        },
        globalPrivacyControl: taken.globalPrivacyControl,
      };
    },
  };
}

const KINDS: Readonly<Record<number, string>> = { 200: "200", 304: "304", 404: "404" };

/** A copy of the text: a part of a larger one keeps all of that in memory. Decoding made one already where nothing changed. */
function flat(text: string, decoded: string): string {
  return text === decoded ? decoded : Buffer.from(text, "utf16le").toString("utf16le");
}
