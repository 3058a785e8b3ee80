import { Alert, Button, Loader } from "@mantine/core";
import { IconCircleCheck } from "@tabler/icons-react";
import { useSources } from "../queries.ts";
import { describeSources, seesAgents } from "../sources.ts";

/** Looks out for visits while somebody sets them up, and says what has come. */
export function Arrival({ projectId, onDone }: { projectId: string; onDone: () => void }) {
  const { data: sources = [] } = useSources(projectId, { isWatched: true });
  return (
    <div role="status">
      {sources.length === 0 ? (
        <Alert variant="light" color="gray" icon={<Loader size="sm" />} title="Waiting for the first visit">
          It shows here within seconds. Nothing has arrived yet.
        </Alert>
      ) : (
        <Alert
          variant="light"
          color="green"
          icon={<IconCircleCheck aria-hidden />}
          title={`Visits have arrived from ${describeSources(sources)}`}
        >
          {seesAgents(sources)
            ? "AI agents are seen, too."
            : "The tracker sees people. For AI agents, add the middleware or import logs."}
          <div>
            <Button variant="default" size="xs" mt="sm" onClick={onDone}>
              See who reads
            </Button>
          </div>
        </Alert>
      )}
    </div>
  );
}
