import type { PullRequest } from "@docent/sdk";
import { Button, Code, Group, Modal, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ErrorNotice } from "../components/error-notice.tsx";
import { docent } from "../docent.ts";
import { useProject } from "../projects/project-context.tsx";
import { pullRequestKey } from "./queries.ts";

/** Asks before a pull request is merged or closed. Mount it to open it. */
export function EndDialog({
  operation,
  pull,
  onClose,
}: {
  operation: "merge" | "close";
  pull: PullRequest;
  onClose(): void;
}) {
  const { id } = useProject();
  const client = useQueryClient();
  // What the person saw when they decided. The service refuses when the branch has moved since.
  const [head] = useState(pull.headCommit);
  const key = pullRequestKey(id, pull.number);
  const end = useMutation({
    mutationFn: () =>
      operation === "merge"
        ? docent.pulls.merge(id, pull.number, head === null ? {} : { head })
        : docent.pulls.close(id, pull.number),
    onSuccess: (ended) => {
      client.setQueryData(key, ended);
      onClose();
    },
    // Somebody else was faster, or the branches have changed: what is shown behind is out of date.
    onError: () => client.invalidateQueries({ queryKey: key, exact: true }),
  });
  const isMerge = operation === "merge";
  return (
    <Modal
      opened
      onClose={onClose}
      title={isMerge ? "Merge this pull request?" : "Close this pull request?"}
      centered
      closeButtonProps={{ "aria-label": "Cancel" }}
    >
      <Stack>
        {isMerge ? (
          <Text>
            <Code>{pull.headBranch}</Code> is merged into <Code>{pull.baseBranch}</Code>
            {head !== null && (
              <>
                {" at "}
                <Code>{head.slice(0, 8)}</Code>
              </>
            )}
            . Whoever publishes from there publishes these changes.
          </Text>
        ) : (
          <Text>It ends without being merged. Its branch stays; a message to the job begins a new pull request.</Text>
        )}
        {end.isError && <ErrorNotice error={end.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          {/* What was refused for a reason is decided on again, on the page as it is now. */}
          <Button
            data-autofocus
            color={isMerge ? undefined : "red.8"}
            loading={end.isPending}
            disabled={end.isError && isConflict(end.error)}
            onClick={() => end.mutate()}
          >
            {isMerge ? "Merge" : "Close"}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function isConflict(error: Error): boolean {
  return "status" in error && error.status === 409;
}
