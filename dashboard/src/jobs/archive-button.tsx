import type { Job } from "@docent/sdk";
import { Button, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconArchive } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { docent } from "../docent.ts";
import { useProject } from "../projects/project-context.tsx";
import { jobKey } from "./job-query.ts";
import { jobsKey } from "./use-jobs.ts";

/** Archives a job for good, after asking. */
export function ArchiveButton({ job }: { job: Job }) {
  const project = useProject();
  const client = useQueryClient();
  const [isOpen, { open, close }] = useDisclosure(false);
  const archive = useMutation({
    mutationFn: () => docent.jobs.archive(project.id, job.id),
    onSuccess(archived) {
      client.setQueryData(jobKey(project.id, job.id), archived);
      void client.invalidateQueries({ queryKey: jobsKey(project.id) });
      close();
    },
  });
  return (
    <>
      <Button variant="default" leftSection={<IconArchive size={18} aria-hidden />} onClick={open}>
        Archive
      </Button>
      <ConfirmDialog
        opened={isOpen}
        onClose={close}
        onConfirm={() => archive.mutate()}
        title="Archive this job?"
        confirm="Archive the job"
        action={archive}
      >
        <Text>
          {job.status === "active" && "The work on it stops. "}
          It takes no more messages, and this cannot be taken back. Its transcript stays
          {job.pullRequest === null ? "." : ", and so does its pull request."}
        </Text>
      </ConfirmDialog>
    </>
  );
}
