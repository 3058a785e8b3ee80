import { Anchor } from "@mantine/core";
import { Link, useLocation } from "wouter";
import { useProjectQuery } from "../projects/queries.ts";
import classes from "./layout.module.css";

/** The pages of a project that have pages of their own below them. */
const ABOVE: Readonly<Record<string, { label: string; path: string }>> = {
  jobs: { label: "Jobs", path: "/jobs" },
  pull: { label: "Jobs", path: "/jobs" },
};

/** Where in a project the page stands; nothing on the pages of the installation. */
export function Breadcrumbs() {
  const [location] = useLocation();
  const [, first, projectId, section = "", below] = location.split("/");
  if (first !== "projects" || projectId === undefined || projectId === "new") return null;
  return <ProjectBreadcrumbs projectId={projectId} section={section} isBelow={below !== undefined && below !== ""} />;
}

function ProjectBreadcrumbs({ projectId, section, isBelow }: { projectId: string; section: string; isBelow: boolean }) {
  const project = useProjectQuery(projectId);
  const above = isBelow ? ABOVE[section] : undefined;
  const root = `/projects/${projectId}`;
  return (
    <nav aria-label="Breadcrumbs">
      <ol className={classes.breadcrumbs}>
        <li>
          <Anchor component={Link} href="/projects" inherit>
            Projects
          </Anchor>
        </li>
        {section !== "" && project.data !== undefined && (
          <li>
            <Anchor component={Link} href={root} inherit dir="auto" className={classes.crumb}>
              {project.data.name}
            </Anchor>
          </li>
        )}
        {above !== undefined && (
          <li>
            <Anchor component={Link} href={root + above.path} inherit>
              {above.label}
            </Anchor>
          </li>
        )}
      </ol>
    </nav>
  );
}
