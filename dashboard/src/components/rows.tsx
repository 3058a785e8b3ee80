import { Group } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./rows.module.css";

/** A list of things, one below the other in a card. */
export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={`docent-card ${classes.rows}`} aria-label={label}>
      {children}
    </ul>
  );
}

/** One thing: what it is, facts about it in small, and what can be done with it. */
export function Row({ title, facts, actions }: { title: ReactNode; facts?: ReactNode; actions?: ReactNode }) {
  return (
    <li className={classes.row}>
      <div className={classes.text}>
        <Group gap="xs">{title}</Group>
        {facts !== undefined && <div className={classes.facts}>{facts}</div>}
      </div>
      {actions !== undefined && <Group gap="xs">{actions}</Group>}
    </li>
  );
}
