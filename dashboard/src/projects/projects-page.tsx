import type { Project } from "@docent/sdk";
import { Button, SimpleGrid, Text, TextInput } from "@mantine/core";
import { IconFolderPlus, IconPlus, IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "wouter";
import { EmptyState } from "../components/empty-state.tsx";
import { ErrorNotice } from "../components/error-notice.tsx";
import { Loading } from "../components/loading.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { useMay } from "../session/session-context.tsx";
import { ProjectCard } from "./project-card.tsx";
import { useProjects } from "./queries.ts";

/** From here on, a list is easier to search than to read. */
const SEARCH_FROM = 8;
/** Up to here, each project's newest job is worth a request. */
const JOBS_UP_TO = 24;

export default function ProjectsPage() {
  const projects = useProjects();
  const isOwner = useMay("owner");
  const [search, setSearch] = useState("");
  const create = isOwner && (
    <Button component={Link} href="/projects/new" leftSection={<IconPlus size={18} aria-hidden />}>
      New project
    </Button>
  );
  const all = projects.data ?? [];
  const found = all.filter((project) => matches(project, search));
  return (
    <>
      <PageHeader
        title="Projects"
        description="A project is a documentation repository that Docent works on and counts the readers of."
        actions={all.length > 0 && create}
      />
      {projects.isPending && <Loading />}
      {projects.isError && projects.data === undefined && (
        <ErrorNotice error={projects.error} onRetry={() => void projects.refetch()} />
      )}
      {projects.data?.length === 0 && (
        <EmptyState icon={IconFolderPlus} title="There is no project yet">
          {isOwner ? (
            <>
              <Text mb="md">Bring a repository with your documentation, or begin with an empty one.</Text>
              {create}
            </>
          ) : (
            "An owner has to create one."
          )}
        </EmptyState>
      )}
      {all.length >= SEARCH_FROM && (
        <TextInput
          type="search"
          aria-label="Search the projects"
          placeholder="Name or repository"
          leftSection={<IconSearch size={18} aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          maw="24rem"
          mb="md"
        />
      )}
      {all.length > 0 && found.length === 0 && <Text c="dimmed">No project has this in its name or repository.</Text>}
      <SimpleGrid component="ul" cols={{ base: 1, sm: 2, lg: 3 }} m={0} p={0} style={{ listStyle: "none" }}>
        {found.map((project) => (
          <ProjectCard key={project.id} project={project} withJob={all.length <= JOBS_UP_TO} />
        ))}
      </SimpleGrid>
    </>
  );
}

function matches({ name, repository }: Project, search: string): boolean {
  return `${name}\n${repository}`.toLowerCase().includes(search.trim().toLowerCase());
}
