import type { ReportName, ReportRows } from "@docent/sdk";
import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconDownload } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { docent } from "../docent.ts";

/** Saves a report as the service writes it: all rows of what is shown, in the order in which they are shown. */
export function DownloadButton({
  projectId,
  report,
  rows,
  label,
}: {
  projectId: string;
  report: ReportName;
  rows: ReportRows;
  /** What is downloaded, for those who do not see what stands beside the button. */
  label: string;
}) {
  const download = useMutation({
    async mutationFn() {
      const parts: string[] = [];
      for await (const part of docent.analytics.csv(projectId, report, rows)) parts.push(part);
      save(new Blob(parts, { type: "text/csv" }), fileName(report, rows));
    },
    onError: (error) =>
      notifications.show({ color: "red", title: "The report could not be downloaded", message: error.message }),
  });
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconDownload size={16} aria-hidden />}
      loading={download.isPending}
      onClick={() => download.mutate()}
      aria-label={`Download ${label} as CSV`}
    >
      CSV
    </Button>
  );
}

function fileName(report: ReportName, { dateFrom, dateTo }: ReportRows): string {
  return ["docent", report, dateFrom, "before", dateTo].filter((part) => part !== undefined).join("-") + ".csv";
}

function save(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
