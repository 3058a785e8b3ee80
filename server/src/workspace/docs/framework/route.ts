import { posix } from "node:path";

/** A route as it is compared: one leading slash, none at the end. */
export function bareRoute(route: string): string {
  const bare = posix.join("/", route).replace(/\/$/, "");
  return bare === "" ? "/" : bare;
}

/** Where a browser leads from the page at this address: `./b` on `/a/` is `/a/b`, on `/a` it is `/b`. */
export function joinRoute(address: string, path: string): string {
  return posix.join("/", address.slice(0, address.lastIndexOf("/") + 1), path);
}

/** The relative address that leads from one page to another, with a `./` where `like` has one. */
export function relativeRoute(from: string, to: string, like: string): string {
  const folder = from.slice(0, from.lastIndexOf("/") + 1);
  const relative = posix.relative(folder, to) || ".";
  const dotted = like.startsWith("./") && !relative.startsWith(".") ? `./${relative}` : relative;
  return to.endsWith("/") && !dotted.endsWith("/") ? `${dotted}/` : dotted;
}
