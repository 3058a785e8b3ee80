/** Whether git takes this as the name of a branch. Rules: git-check-ref-format(1). */
export function isBranchName(name: string): boolean {
  if (name === "" || name === "@" || name.startsWith("-") || name.endsWith(".") || name.includes("..")) return false;
  if (name.includes("@{") || /[\p{Cc} ~^:?*[\\]/u.test(name) || !name.isWellFormed()) return false;
  return name.split("/").every((part) => part !== "" && !part.startsWith(".") && !part.endsWith(".lock"));
}
