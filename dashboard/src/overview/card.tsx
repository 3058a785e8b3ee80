import { Anchor, Title } from "@mantine/core";
import { useId, type ReactNode } from "react";
import { Link } from "wouter";
import classes from "./overview.module.css";

/** A part of the overview, with the way to the page that has the whole of it. */
export function Card({
  title,
  href,
  more,
  children,
}: {
  title: string;
  href: string;
  /** The words of the link. */
  more: string;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section className={`docent-card ${classes.card}`} aria-labelledby={id}>
      <div className={classes.head}>
        <Title order={2} size="h4" id={id}>
          {title}
        </Title>
        <Anchor component={Link} href={href} size="sm">
          {more}
        </Anchor>
      </div>
      {children}
    </section>
  );
}
