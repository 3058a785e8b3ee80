import type { AuditEntry } from "@docent/sdk";
import { Anchor, Button, NativeSelect, Text } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "wouter";
import { Age } from "../components/age.tsx";
import { EmptyState } from "../components/empty-state.tsx";
import { ErrorNotice } from "../components/error-notice.tsx";
import { Loading } from "../components/loading.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { Row, Rows } from "../components/rows.tsx";
import { docent } from "../docent.ts";
import { useProjects } from "../projects/queries.ts";
import { useMay } from "../session/session-context.tsx";
import { AuditSentence } from "./audit-sentence.tsx";

const ENTRIES_ON_A_PAGE = 50;

export default function AuditLogPage() {
  const isOwner = useMay("owner");
  return (
    <>
      <PageHeader
        title="Audit log"
        description="Who changed who may do what: people, keys, credentials, projects. Newest first; nothing is ever removed."
      />
      {isOwner ? <AuditLog /> : <Text>Only owners see it. Ask one of them.</Text>}
    </>
  );
}

function AuditLog() {
  const [search, setSearch] = useSearchParams();
  const projectId = search.get("project");
  const projects = useProjects();
  const log = useInfiniteQuery({
    queryKey: ["audit-log", projectId],
    queryFn: ({ pageParam, signal }) =>
      docent.auditLog.list(
        {
          limit: ENTRIES_ON_A_PAGE,
          ...(pageParam === null ? {} : { cursor: pageParam }),
          ...(projectId === null ? {} : { projectId }),
        },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const entries = log.data?.pages.flatMap((page) => page.entries) ?? [];
  const names = new Map(projects.data?.map(({ id, name }) => [id, name]));
  return (
    <>
      <NativeSelect
        label="Project"
        maw="24rem"
        mb="md"
        data={[
          { value: "", label: "All, and what belongs to none" },
          ...[...names].map(([value, label]) => ({ value, label })),
          // Deleted projects keep their entries.
          ...(projectId === null || names.has(projectId) ? [] : [{ value: projectId, label: projectId }]),
        ]}
        value={projectId ?? ""}
        onChange={({ currentTarget: { value } }) => setSearch(value === "" ? {} : { project: value })}
      />
      {log.isPending && <Loading />}
      {log.isError && log.data === undefined && <ErrorNotice error={log.error} onRetry={() => void log.refetch()} />}
      {log.data !== undefined && entries.length === 0 && (
        <EmptyState icon={IconHistory} title="Nothing has happened yet">
          What people change here will be listed.
        </EmptyState>
      )}
      {entries.length > 0 && (
        <Rows label="Audit log">
          {entries.map((entry) => (
            <Row
              key={entry.id}
              title={
                <Text component="span">
                  <b dir="auto">{entry.actor.type === "administrator" ? "The administrator" : entry.actor.name}</b>{" "}
                  <AuditSentence entry={entry} />
                </Text>
              }
              facts={
                <Facts entry={entry} projectName={entry.projectId === null ? undefined : names.get(entry.projectId)} />
              }
            />
          ))}
        </Rows>
      )}
      {log.hasNextPage && (
        <Button variant="default" mt="md" loading={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
          Show older entries
        </Button>
      )}
    </>
  );
}

function Facts({
  entry: { at, actor, address, projectId },
  projectName,
}: {
  entry: AuditEntry;
  projectName: string | undefined;
}) {
  return (
    <>
      <Age at={at} />
      {actor.type === "administrator" && <span>with the admin token</span>}
      {actor.type === "key" && <span>an API key</span>}
      {address !== null && <span>{address}</span>}
      {projectId !== null &&
        (projectName === undefined ? (
          <span className="docent-mono">{projectId}</span>
        ) : (
          <Anchor component={Link} href={`/projects/${projectId}`} inherit dir="auto">
            {projectName}
          </Anchor>
        ))}
    </>
  );
}
