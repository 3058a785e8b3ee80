import { posix } from "node:path";
import { baseName, folderOf, isUnder, joinPath } from "../../paths.ts";
import type { LinkUse, Resolution } from "../framework.ts";
import { bareRoute } from "../route.ts";
import type { VitepressModel } from "./vitepress-model.ts";

/** Suffixes of files that VitePress does not take for pages; what has another one, or none, is a page (`treatAsHtml`). */
const FILE_SUFFIX =
  /\.(?:3g2|3gp|7z|aac|ai|apk|avi|avif|azw|bin|bmp|bz2?|c|cc|cfg|conf|cpp|css|csv|dart|db|deb|diff|docx?|eot|epub|exe|flac|flv|gif|gz|h|hpp|ics|ico|img|iso|jar|java|jpe?g|jsx?|json5?|kt|less|lock|log|m4a|map|mid|mjs|mkv|mov|mp3|mp4|mpe?g|odt|ogg|ogv|otf|patch|pdf|php|png|pptx?|proto|psd|py|rar|rb|rpm|rs|rss|rtf|sass|scss|sh|sql|svg|swift|tar|tgz|tiff?|toml|tsx?|ttf|txt|vtt|vue|wasm|wav|weba|webm|webp|woff2?|xlsx?|xml|ya?ml|zip)$/i;

export function isFileLink(path: string): boolean {
  return FILE_SUFFIX.test(path);
}

/** A path that begins with the site's base, without it. */
function withoutBase(model: VitepressModel, path: string): string {
  const base = bareRoute(model.config.base);
  return base !== "/" && isUnder(bareRoute(path), base) ? path.slice(base.length) || "/" : path;
}

function publicFile(model: VitepressModel, path: string): string | undefined {
  return [path, withoutBase(model, path)]
    .map((form) => joinPath(model.publicFolder, `.${form}`))
    .find((file) => file !== undefined && model.files.has(file));
}

/** Whether a page is there decides at the address that it is built as, with `.html` and `.md` left out. */
function resolvePage(model: VitepressModel, fromPath: string, path: string): Resolution {
  const from = model.pages.get(fromPath) ?? model.outputOf(fromPath) ?? "";
  const forms = path.startsWith("/") ? [withoutBase(model, path), path] : [path];
  const outputs = forms.map((form) => {
    const plain = form.replace(/\.(?:html|md)$/, "");
    const isFolder = plain.endsWith("/") || /(?:^|\/)\.{1,2}$/.test(plain);
    const whole = isFolder ? `${plain.replace(/\/$/, "")}/index` : plain;
    return whole.startsWith("/") ? whole.slice(1) : posix.join(posix.dirname(from), whole);
  });
  for (const output of outputs) {
    const page = model.byOutput.get(posix.normalize(output));
    if (page !== undefined) return { type: "page", path: page };
    const html = joinPath(model.publicFolder, `${output}.html`);
    if (html !== undefined && model.files.has(html)) return { type: "file", path: html };
  }
  const isOpen =
    model.config.rewrites === null ||
    outputs.some((output) => model.openStarts.some((start) => output.startsWith(start)) || /^404$/.test(output));
  if (isOpen || model.config.isIgnored(path)) return { type: "unknown" };
  // What is no page of its own has no address that links could count from.
  return path.startsWith("/") || model.pages.has(fromPath) ? { type: "missing" } : { type: "unknown" };
}

function asset(model: VitepressModel, fromPath: string, path: string): string | undefined {
  const file = joinPath(folderOf(fromPath), path);
  return file !== undefined && model.files.has(file) ? file : undefined;
}

function resolveImage(model: VitepressModel, fromPath: string, path: string, link: LinkUse): Resolution {
  if (/^[~@]/.test(path)) return { type: "unknown" };
  if (path.startsWith("/")) {
    const file = publicFile(model, path);
    if (file !== undefined) return { type: "file", path: file };
    return /\.[A-Za-z\d]+$/.test(path) && !/^\/(?:@fs|src)\//.test(path) ? { type: "missing" } : { type: "unknown" };
  }
  const file = asset(model, fromPath, path);
  if (file !== undefined) return { type: "file", path: file };
  const markdown = link.syntax === "markdown" || link.syntax === "definition";
  const isBundled =
    markdown || (path.startsWith(".") && /^(?:img|video|source|audio|image|use|picture)$/.test(link.element ?? ""));
  // What is included counts from the page that includes it in some versions, and from its own place in others.
  return isBundled && model.pages.has(fromPath) ? { type: "missing" } : { type: "unknown" };
}

/** `@` stands for the source folder. */
function resolveInclude(model: VitepressModel, fromPath: string, path: string): Resolution {
  const target = path.startsWith("@")
    ? joinPath(model.config.sourceFolder, path.replace(/^@[/\\]?/, ""))
    : joinPath(folderOf(fromPath), path);
  if (target === undefined) return { type: "unknown" };
  if (!model.files.has(target))
    return baseName(target).includes("[") || path.startsWith("/") ? { type: "unknown" } : { type: "missing" };
  return model.facts.has(target) ? { type: "page", path: target } : { type: "file", path: target };
}

export function resolveVitepress(model: VitepressModel, fromPath: string, path: string, link: LinkUse): Resolution {
  if (link.role === "import") return { type: "unknown" };
  if (link.role === "snippet") return resolveInclude(model, fromPath, path);
  if (link.role === "image") return resolveImage(model, fromPath, path, link);
  if (/^[~@]/.test(path)) return { type: "unknown" };
  if (isFileLink(path)) {
    if (!path.startsWith("/")) {
      const file = asset(model, fromPath, path);
      return file === undefined ? { type: "unknown" } : { type: "file", path: file };
    }
    const file = publicFile(model, path);
    if (file !== undefined) return { type: "file", path: file };
    return /\.(?:xml|txt|json|rss|ics)$/i.test(path) || model.config.isIgnored(path)
      ? { type: "unknown" }
      : { type: "missing" };
  }
  const found = resolvePage(model, fromPath, path);
  const markdown = link.syntax === "markdown" || link.syntax === "definition";
  // Components take relative addresses as they please.
  return found.type === "missing" && !markdown && !path.startsWith("/") ? { type: "unknown" } : found;
}
