import type { WebhookDelivery } from "@docent/sdk";
import { Anchor, Badge, Button, NativeSelect, Text } from "@mantine/core";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { Age } from "../../components/age.tsx";
import { ErrorNotice } from "../../components/error-notice.tsx";
import { Loading } from "../../components/loading.tsx";
import { Row, Rows } from "../../components/rows.tsx";
import { docent } from "../../docent.ts";
import { useProject } from "../project-context.tsx";
import { Part } from "./part.tsx";

const COLOURS = { waiting: "gray", delivered: "green", failed: "red" } as const;
const WAITING_POLL_MS = 3_000;

/** What was sent to the webhook, and what became of it. */
export function Deliveries() {
  const { id } = useProject();
  const client = useQueryClient();
  const [state, setState] = useState<WebhookDelivery["state"] | "all">("all");
  const queryKey = ["webhook-deliveries", id];
  const deliveries = useInfiniteQuery({
    queryKey: [...queryKey, state],
    queryFn: ({ pageParam, signal }) =>
      docent.webhooks.deliveries(
        id,
        { limit: 20, ...(pageParam === null ? {} : { cursor: pageParam }), ...(state === "all" ? {} : { state }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some((page) => page.deliveries.some((delivery) => delivery.state === "waiting")) === true
        ? WAITING_POLL_MS
        : false,
  });
  const redeliver = useMutation({
    mutationFn: (delivery: WebhookDelivery) => docent.webhooks.redeliver(id, delivery.id),
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
  const all = deliveries.data?.pages.flatMap((page) => page.deliveries) ?? [];
  return (
    <Part title="Deliveries" description="Newest first, for 30 days.">
      <NativeSelect
        label="Show"
        data={[
          { value: "all", label: "All" },
          { value: "waiting", label: "Waiting" },
          { value: "delivered", label: "Delivered" },
          { value: "failed", label: "Given up" },
        ]}
        value={state}
        onChange={(event) => setState(event.currentTarget.value as typeof state)}
        maw="12rem"
      />
      {deliveries.isPending && <Loading />}
      {deliveries.isError && deliveries.data === undefined && (
        <ErrorNotice error={deliveries.error} onRetry={() => void deliveries.refetch()} />
      )}
      {redeliver.isError && <ErrorNotice error={redeliver.error} />}
      {deliveries.data !== undefined && all.length === 0 && (
        <Text size="sm" c="dimmed">
          {state === "all" ? "Nothing has been sent yet." : "There is none of these."}
        </Text>
      )}
      {all.length > 0 && (
        <Rows label="Deliveries">
          {all.map((delivery) => (
            <Row
              key={delivery.id}
              title={
                <>
                  <Text component="span" className="docent-mono">
                    {delivery.type}
                  </Text>
                  <Badge variant="light" tt="none" color={COLOURS[delivery.state]}>
                    {delivery.state === "failed" ? "given up" : delivery.state}
                  </Badge>
                </>
              }
              facts={<Facts delivery={delivery} />}
              actions={
                delivery.state !== "waiting" && (
                  <Button
                    variant="default"
                    size="xs"
                    aria-label={`Send again: ${delivery.type} of ${delivery.createdAt}`}
                    loading={redeliver.isPending && redeliver.variables.id === delivery.id}
                    onClick={() => redeliver.mutate(delivery)}
                  >
                    Send again
                  </Button>
                )
              }
            />
          ))}
        </Rows>
      )}
      {deliveries.hasNextPage && (
        <div>
          <Button
            variant="default"
            size="xs"
            loading={deliveries.isFetchingNextPage}
            onClick={() => void deliveries.fetchNextPage()}
          >
            Show older ones
          </Button>
        </div>
      )}
    </Part>
  );
}

function Facts({ delivery }: { delivery: WebhookDelivery }) {
  const { jobId, attempts, nextAttemptAt, responseStatus, error, createdAt } = delivery;
  return (
    <>
      <Age at={createdAt} />
      <Anchor component={Link} href={`/jobs/${jobId}`} inherit underline="always">
        the job
      </Anchor>
      <span>
        {attempts} {attempts === 1 ? "attempt" : "attempts"}
      </span>
      {responseStatus !== null && <span>answered {responseStatus}</span>}
      {nextAttemptAt !== null && (
        <span>
          next <Age at={nextAttemptAt} />
        </span>
      )}
      {error !== null && <span dir="auto">{error}</span>}
    </>
  );
}
