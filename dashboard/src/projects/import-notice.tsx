import type { Project } from "@docent/sdk";
import { Alert, Anchor, Progress, Text } from "@mantine/core";
import { IconAlertTriangle, IconDownload } from "@tabler/icons-react";
import { Link } from "wouter";
import { useMay } from "../session/session-context.tsx";

/** Says on every page of a project that its repository is still to come, or why it does not. */
export function ImportNotice({ project: { state, importError, ref } }: { project: Project }) {
  const isOwner = useMay("owner");
  if (state === "ready") return null;
  if (state === "importing") {
    return (
      <Alert
        variant="light"
        icon={<IconDownload aria-hidden />}
        title="The repository is being imported"
        mb="lg"
        role="status"
      >
        <Text size="sm" mb="sm">
          {ref === "HEAD"
            ? "All its branches and tags are fetched."
            : `All its branches and tags are fetched; jobs will start from ${ref}.`}{" "}
          This page goes on by itself.
        </Text>
        <Progress value={100} animated size="sm" aria-label="Importing" />
      </Alert>
    );
  }
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle aria-hidden />}
      title="The repository could not be imported"
      mb="lg"
      role="alert"
    >
      <Text size="sm" dir="auto">
        {importError}
      </Text>
      <Text size="sm" mt="xs">
        {isOwner ? (
          <>
            Once that is mended,{" "}
            <Anchor component={Link} href="~/projects/new" inherit underline="always">
              create the project again
            </Anchor>{" "}
            and{" "}
            <Anchor component={Link} href="/settings?section=danger" inherit underline="always">
              delete this one
            </Anchor>
            .
          </>
        ) : (
          "Once that is mended, an owner can create the project again and delete this one."
        )}
      </Text>
    </Alert>
  );
}
