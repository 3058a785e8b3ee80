import type { JobStatus as Status } from "@docent/sdk";
import { Button, CloseButton, Select, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconListDetails, IconPlus, IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { Link, useSearchParams } from "wouter";
import { EmptyState } from "../components/empty-state.tsx";
import { ErrorNotice } from "../components/error-notice.tsx";
import { Loading } from "../components/loading.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { useProject } from "../projects/project-context.tsx";
import { useMay } from "../session/session-context.tsx";
import { JobRows } from "./job-rows.tsx";
import classes from "./jobs.module.css";
import { useJobs, type JobFilter } from "./use-jobs.ts";

const STATUSES: readonly { value: Status; label: string }[] = [
  { value: "active", label: "Active" },
  { value: "completed", label: "Completed" },
  { value: "failed", label: "Failed" },
  { value: "archived", label: "Archived" },
];
const TYPING_MS = 250;

export default function JobsPage() {
  const project = useProject();
  const mayCreate = useMay("editor");
  const [parameters, setParameters] = useSearchParams();
  const filter = readFilter(parameters);
  const list = useJobs(project.id, filter);

  function setFilter(name: keyof JobFilter, value: string): void {
    setParameters(
      (before) => {
        const after = new URLSearchParams(before);
        if (value === "") after.delete(name);
        else after.set(name, value);
        return after;
      },
      { replace: true },
    );
  }

  const newJob = mayCreate && (
    <Button component={Link} href="/jobs/new" leftSection={<IconPlus size={18} aria-hidden />}>
      New job
    </Button>
  );
  const isFiltered = filter.status !== undefined || filter.search !== undefined;
  return (
    <>
      <PageHeader title="Jobs" description="What the agent was asked to do, and what came of it." actions={newJob} />
      <div className={classes.filters}>
        <Search initial={filter.search ?? ""} onSearch={(search) => setFilter("search", search)} />
        <Select
          className={classes.status}
          aria-label="Status"
          placeholder="Any status"
          data={STATUSES}
          value={filter.status ?? null}
          onChange={(status) => setFilter("status", status ?? "")}
          clearable
          allowDeselect
        />
      </div>
      {list.error !== null && <ErrorNotice error={list.error} onRetry={list.retry} />}
      {list.jobs === undefined && list.error === null && <Loading />}
      {list.jobs?.length === 0 &&
        (isFiltered ? (
          <EmptyState icon={IconSearch} title="No job is like that">
            <Button variant="default" mt="sm" onClick={() => setParameters({}, { replace: true })}>
              Show all jobs
            </Button>
          </EmptyState>
        ) : (
          <EmptyState icon={IconListDetails} title="No jobs yet">
            {mayCreate
              ? "Tell the agent what to change in the docs; it answers with a pull request."
              : "Somebody who may edit this project can tell the agent what to change in the docs."}
            <div style={{ marginTop: "var(--mantine-spacing-md)" }}>{newJob}</div>
          </EmptyState>
        ))}
      {list.jobs !== undefined && list.jobs.length > 0 && <JobRows list={list} jobs={list.jobs} />}
    </>
  );
}

function Search({ initial, onSearch }: { initial: string; onSearch: (search: string) => void }) {
  const [text, setText] = useState(initial);
  const search = useDebouncedCallback((value: string) => onSearch(value.trim()), TYPING_MS);
  const change = (value: string): void => {
    setText(value);
    search(value);
  };
  // Something else emptied the search, like "Show all jobs" or the way back.
  const [shown, setShown] = useState(initial);
  if (shown !== initial) {
    setShown(initial);
    if (initial !== text.trim()) setText(initial);
  }
  return (
    <TextInput
      className={classes.search}
      type="search"
      aria-label="Search"
      placeholder="Search titles and instructions"
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={text === "" ? null : <CloseButton aria-label="Clear the search" onClick={() => change("")} />}
      value={text}
      maxLength={200}
      dir="auto"
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}

function readFilter(parameters: URLSearchParams): JobFilter {
  const status = STATUSES.find(({ value }) => value === parameters.get("status"))?.value;
  const search = parameters.get("search")?.trim() || undefined;
  return { status, search };
}
