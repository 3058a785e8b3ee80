import type { Job } from "@docent/sdk";
import { Alert } from "@mantine/core";
import { IconClockPause } from "@tabler/icons-react";
import { useEffect, useState } from "react";

/** For what a job waits, and how long until it is tried again. */
export function WaitingNotice({ waiting: { reason, until } }: { waiting: NonNullable<Job["waiting"]> }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <Alert color="yellow" variant="light" mb="md" icon={<IconClockPause aria-hidden />} title="The job waits">
      {reason} {describeWait(Math.ceil((new Date(until).getTime() - now) / 1_000))}
    </Alert>
  );
}

function describeWait(seconds: number): string {
  if (seconds <= 0) return "It is tried again now.";
  if (seconds < 120) return `It is tried again in ${seconds} s.`;
  return `It is tried again in ${Math.round(seconds / 60)} minutes.`;
}
