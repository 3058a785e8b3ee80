import { Divider, NavLink, Text } from "@mantine/core";
import {
  IconChartAreaLine,
  IconFolders,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconListDetails,
  IconSettings,
  IconUsers,
  type Icon,
} from "@tabler/icons-react";
import { Link, useRoute } from "wouter";
import { useProjects } from "../projects/queries.ts";
import { ProjectSwitcher } from "./project-switcher.tsx";
import { useMay } from "../session/session-context.tsx";

const PROJECT_PAGES: readonly { label: string; path: string; icon: Icon }[] = [
  { label: "Overview", path: "", icon: IconLayoutDashboard },
  { label: "Jobs", path: "/jobs", icon: IconListDetails },
  { label: "Readers", path: "/readers", icon: IconChartAreaLine },
  { label: "API keys", path: "/keys", icon: IconKey },
  { label: "Settings", path: "/settings", icon: IconSettings },
];

/** The pages of the project that is open, then those of the installation. */
export function Navigation() {
  const [, parameters] = useRoute("/projects/:projectId/*?");
  const projectId = parameters?.projectId === "new" ? undefined : parameters?.projectId;
  const isOwner = useMay("owner");
  return (
    <>
      {projectId !== undefined && <ProjectPages projectId={projectId} />}
      <PageLink label="Projects" href="/projects" icon={IconFolders} isExact={projectId !== undefined} />
      {isOwner && (
        <>
          <PageLink label="Members" href="/members" icon={IconUsers} />
          <PageLink label="Audit log" href="/audit-log" icon={IconHistory} />
        </>
      )}
    </>
  );
}

function ProjectPages({ projectId }: { projectId: string }) {
  const projects = useProjects();
  const project = projects.data?.find(({ id }) => id === projectId);
  const others = projects.data ?? [];
  return (
    <>
      {others.length > 1 ? (
        <ProjectSwitcher projectId={projectId} projects={others} />
      ) : (
        <Text fw={650} px="sm" py="xs" lineClamp={2} dir="auto">
          {project?.name ?? "Project"}
        </Text>
      )}
      {PROJECT_PAGES.map(({ label, path, icon }) => (
        <PageLink key={path} label={label} href={`/projects/${projectId}${path}`} icon={icon} isExact={path === ""} />
      ))}
      <Divider my="sm" />
    </>
  );
}

function PageLink({
  label,
  href,
  icon: Icon,
  isExact = false,
}: {
  label: string;
  href: string;
  icon: Icon;
  isExact?: boolean;
}) {
  const [isOpen] = useRoute(isExact ? href : `${href}/*?`);
  return (
    <NavLink
      component={Link}
      href={href}
      label={label}
      active={isOpen}
      aria-current={isOpen ? "page" : undefined}
      leftSection={<Icon size={18} stroke={1.6} aria-hidden />}
      style={{ borderRadius: "var(--mantine-radius-md)" }}
    />
  );
}
