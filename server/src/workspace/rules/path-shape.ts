/** A file name's length limit on common file systems, in bytes. */
const PART_BYTES_MAX = 255;
const PATH_BYTES_MAX = 1024;

/** Characters without a shape of their own: controls, format characters (zero-width, bidi), private and unassigned ones. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** Device names that Windows cannot check out. Source: "Naming Files, Paths, and Namespaces", Microsoft Learn. */
const DEVICE_NAME = /^(?:con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3])(?:\.|$)/i;

/** A name as NTFS shortens it, e.g. `git~1` for `.git`. */
const SHORT_NAME = /^[^.]{1,8}~[0-9]+(?:\.|$)/;

/**
 * Why this is no path that git, and every system that may check it out, takes for the same plain file; undefined when
 * it is one. Looks at the path alone.
 */
export function pathShapeDefect(path: string): string | undefined {
  const name = JSON.stringify(path);
  if (path === "") return "The path is empty. Give the path from the root of the repository, such as docs/install.md.";
  if (!path.isWellFormed() || path.includes("\ufffd")) return `The path ${name} is not valid Unicode.`;
  if (INVISIBLE.test(path))
    return `The path ${name} holds a control character or an invisible one. Use visible characters only.`;
  if (path.includes("\\")) return `The path ${name} holds a backslash. Put / between folders.`;
  if (/^[a-z]:/i.test(path)) return `The path ${name} names a drive. Give the path from the root of the repository.`;
  if (path.startsWith("/") || path.startsWith("~")) {
    return `The path ${name} is not relative to the repository. Give it from the repository's root, without / or ~ at its start.`;
  }
  if (path.normalize("NFC") !== path) {
    return `The path ${name} is not in the normal form NFC: some systems would take it for another file. Write its accents composed.`;
  }
  if (Buffer.byteLength(path) > PATH_BYTES_MAX)
    return `The path is longer than ${PATH_BYTES_MAX} bytes. Use a shorter one.`;
  for (const part of path.split("/")) {
    const defect = partDefect(part);
    if (defect !== undefined) return `The path ${name} ${defect}`;
  }
  return undefined;
}

function partDefect(part: string): string | undefined {
  if (part === "") return "has an empty part: no // and no / at its end.";
  if (part === "." || part === "..") return `holds "${part}". Give the plain path, without . and .. parts.`;
  if (/[.\s]$/u.test(part)) return "has a part that ends with a dot or a space, which some systems drop. Leave it out.";
  if (/^\s/u.test(part)) return "has a part that begins with a space. Leave it out.";
  if (/[:*?"<>|]/.test(part)) return 'holds one of : * ? " < > |, which not every system can store. Leave it out.';
  if (SHORT_NAME.test(part))
    return `holds "${part}", which some systems take for another file's short name. Use another name.`;
  if (DEVICE_NAME.test(part)) return `holds "${part}", a device name on Windows. Use another name.`;
  if (Buffer.byteLength(part) > PART_BYTES_MAX)
    return `has a part longer than ${PART_BYTES_MAX} bytes. Use a shorter name.`;
  return undefined;
}
