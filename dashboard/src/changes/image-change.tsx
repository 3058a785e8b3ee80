import type { ChangedFile } from "./changed-files.ts";
import classes from "./changes.module.css";

/** Whether browsers show a file of this name as an image. */
export function isImage({ path, oldOid, newOid, status }: ChangedFile): boolean {
  if (oldOid === null && newOid === null) return false;
  return !(status === "renamed" && oldOid === newOid) && /\.(?:png|jpe?g|gif|webp|avif|ico|svg)$/i.test(path);
}

/** A changed image, before and after. */
export function ImageChange({ file, address }: { file: ChangedFile; address: (oid: string) => string }) {
  const sides = [
    { oid: file.oldOid, caption: "before" },
    { oid: file.newOid, caption: "after" },
  ];
  return (
    <div className={classes.images}>
      {sides.map(
        ({ oid, caption }) =>
          oid !== null && (
            <figure key={caption} className={classes.figure}>
              <img src={address(oid)} alt={`${file.path}, ${caption}`} loading="lazy" />
              <figcaption>{caption}</figcaption>
            </figure>
          ),
      )}
    </div>
  );
}
