import { Badge, Loader } from "@mantine/core";
import type { Job } from "@docent/sdk";
import { IconArchive, IconCheck, IconClockPause, IconX } from "@tabler/icons-react";

const STATUSES = {
  active: { color: "ink", label: "Active" },
  waiting: { color: "yellow", label: "Waiting" },
  completed: { color: "green", label: "Completed" },
  failed: { color: "red", label: "Failed" },
  archived: { color: "gray", label: "Archived" },
};

/** What a job is doing, in a word. */
export function JobStatus({ job }: { job: Pick<Job, "status" | "waiting"> }) {
  const status = job.waiting === null ? job.status : "waiting";
  const { color, label } = STATUSES[status];
  return (
    <Badge color={color} variant="light" tt="none" leftSection={<StatusIcon status={status} />}>
      {label}
    </Badge>
  );
}

function StatusIcon({ status }: { status: keyof typeof STATUSES }) {
  switch (status) {
    case "active":
      return <Loader size={12} color="currentColor" aria-hidden />;
    case "waiting":
      return <IconClockPause size={14} aria-hidden />;
    case "completed":
      return <IconCheck size={14} aria-hidden />;
    case "failed":
      return <IconX size={14} aria-hidden />;
    case "archived":
      return <IconArchive size={14} aria-hidden />;
  }
}
