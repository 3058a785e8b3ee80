import { DocentError } from "@docent/sdk";
import { Skeleton, Text, Title } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { useId, type ReactNode } from "react";
import { ErrorNotice } from "../components/error-notice.tsx";
import classes from "./readers.module.css";

/** A report in a card, with what can be done with it beside its name. */
export function Section({
  title,
  description,
  tools,
  children,
}: {
  title: string;
  description?: ReactNode;
  tools?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section className={`docent-card ${classes.card}`} aria-labelledby={id}>
      <div className={classes.head}>
        <div className={classes.title}>
          <Title order={2} size="h4" id={id}>
            {title}
          </Title>
          {description !== undefined && (
            <Text size="sm" c="dimmed">
              {description}
            </Text>
          )}
        </div>
        {tools !== undefined && <div className={classes.tools}>{tools}</div>}
      </div>
      {children}
    </section>
  );
}

/** Shows a report once it is there, and pales it while other figures are on their way. */
export function Answer<Data>({
  query,
  height,
  children,
}: {
  query: UseQueryResult<Data>;
  /** Of what stands there until the first answer, in pixels. */
  height: number;
  children: (data: Data) => ReactNode;
}) {
  if (query.data === undefined) {
    if (query.isError) return <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />;
    return <Skeleton height={height} role="status" aria-label="Loading" />;
  }
  return (
    <>
      {query.isError && !isUnreachable(query.error) && (
        <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />
      )}
      <div className={query.isPlaceholderData ? classes.stale : undefined} aria-busy={query.isPlaceholderData}>
        {children(query.data)}
      </div>
    </>
  );
}

/** That is said once for the whole page, and goes away by itself. */
function isUnreachable(error: Error): boolean {
  return error instanceof DocentError && error.status === 0;
}
