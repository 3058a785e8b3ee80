import classes from "./code-block.module.css";
import { CopyButton } from "./copy-button.tsx";

/** Code to copy; long lines scroll inside it. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <div className={classes.block}>
      {/* A region that scrolls must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre className={classes.code} tabIndex={0} aria-label={label}>
        <code>{code}</code>
      </pre>
      <div className={classes.copy}>
        <CopyButton value={code} label={`Copy: ${label}`} />
      </div>
    </div>
  );
}
