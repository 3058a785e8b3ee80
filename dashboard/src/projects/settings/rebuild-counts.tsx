import { Button, Progress, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { ErrorNotice } from "../../components/error-notice.tsx";
import { docent } from "../../docent.ts";
import { useProject } from "../project-context.tsx";
import { Part } from "./part.tsx";

/** Counts the project's readers anew from the stored views. */
export function RebuildCounts() {
  const { id } = useProject();
  const [progress, setProgress] = useState<{ done: number; total: number } | null>(null);
  const rebuild = useMutation({
    mutationFn: () => docent.visits.rebuild(id, { onProgress: (done, total) => setProgress({ done, total }) }),
    onMutate: () => setProgress(null),
  });
  const percent = progress === null || progress.total === 0 ? 0 : (100 * progress.done) / progress.total;
  return (
    <Part
      title="Count readers anew"
      description="Makes all counts again from the stored views, which takes minutes where there are many. Reports stay right meanwhile, and should not change by it."
    >
      {rebuild.isPending && <Progress value={percent} animated aria-label="Counting anew" />}
      {rebuild.isSuccess && (
        <Text size="sm" role="status">
          Everything was counted anew.
        </Text>
      )}
      {rebuild.isError && <ErrorNotice error={rebuild.error} />}
      <div>
        <Button variant="default" size="xs" loading={rebuild.isPending} onClick={() => rebuild.mutate()}>
          Count anew
        </Button>
      </div>
    </Part>
  );
}
