import { Stack, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { usePageTitle } from "../components/page-title.ts";
import { Logo } from "../layout/logo.tsx";
import classes from "./session.module.css";

/** The frame of the pages for those who are not in yet. */
export function SessionCard({ title, children }: { title: string; children: ReactNode }) {
  usePageTitle(title);
  return (
    <main className={classes.page}>
      <div className={`docent-card ${classes.card}`}>
        <Stack>
          <Logo />
          <Title order={1} size="h3">
            {title}
          </Title>
          {children}
        </Stack>
      </div>
    </main>
  );
}
