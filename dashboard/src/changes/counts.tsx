import { Text, VisuallyHidden } from "@mantine/core";
import classes from "./changes.module.css";

/** How many lines were added and removed. */
export function Counts({
  additions,
  deletions,
  isBinary = false,
}: {
  additions: number;
  deletions: number;
  isBinary?: boolean;
}) {
  if (isBinary) {
    return (
      <Text component="span" size="xs" c="dimmed" className={classes.counts}>
        binary
      </Text>
    );
  }
  if (additions === 0 && deletions === 0) return null;
  return (
    <span className={classes.counts}>
      <VisuallyHidden>
        {additions} lines added, {deletions} removed
      </VisuallyHidden>
      <span aria-hidden className={classes.plus}>
        +{additions.toLocaleString("en")}
      </span>{" "}
      <span aria-hidden className={classes.minus}>
        −{deletions.toLocaleString("en")}
      </span>
    </span>
  );
}
