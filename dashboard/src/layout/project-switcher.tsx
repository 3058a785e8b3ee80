import type { Project } from "@docent/sdk";
import { Menu, Text, UnstyledButton } from "@mantine/core";
import { IconCheck, IconSelector } from "@tabler/icons-react";
import { Link, useLocation } from "wouter";
import classes from "./layout.module.css";

/** The open project's name, and the way to the same page of another one. */
export function ProjectSwitcher({ projectId, projects }: { projectId: string; projects: readonly Project[] }) {
  const [location] = useLocation();
  const open = projects.find(({ id }) => id === projectId);
  // What lies below a page of one project is in no other one.
  const page = location.split("/")[3];
  const section = page === undefined || page === "pull" ? "" : `/${page}`;
  return (
    <Menu position="bottom-start" width={240} shadow="md" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <UnstyledButton className={classes.switcher}>
          <Text fw={650} lineClamp={2} dir="auto" component="span">
            {open?.name ?? "Project"}
          </Text>
          <IconSelector size={18} aria-label="Other projects" style={{ flexShrink: 0 }} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown className={classes.projects}>
        {projects.map(({ id, name }) => (
          <Menu.Item
            key={id}
            component={Link}
            href={`/projects/${id}${section}`}
            rightSection={id === projectId ? <IconCheck size={16} aria-label="open" /> : null}
          >
            <Text component="span" size="sm" lineClamp={2} dir="auto">
              {name}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
