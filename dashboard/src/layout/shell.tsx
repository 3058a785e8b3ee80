import { AppShell, Burger, ScrollArea } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useEffect, type ReactNode } from "react";
import { useLocation } from "wouter";
import classes from "./layout.module.css";
import { Logo } from "./logo.tsx";
import { Navigation } from "./navigation.tsx";
import { UserMenu } from "./user-menu.tsx";

/** The frame of every page: the navigation at the side, behind a button on small screens. */
export function Shell({ children }: { children: ReactNode }) {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const [location] = useLocation();
  useEffect(close, [location, close]);
  return (
    <AppShell
      header={{ height: 56, collapsed: false }}
      navbar={{ width: 248, breakpoint: "md", collapsed: { mobile: !isOpen } }}
      padding={{ base: "md", sm: "lg" }}
    >
      <AppShell.Header className={classes.header}>
        <a className={classes.skip} href="#content">
          Skip to the content
        </a>
        <div style={{ display: "flex", alignItems: "center", gap: 12 }}>
          <Burger
            opened={isOpen}
            onClick={toggle}
            hiddenFrom="md"
            size="sm"
            aria-label={isOpen ? "Close the navigation" : "Open the navigation"}
          />
          <Logo />
        </div>
        <UserMenu />
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar} p="sm" aria-label="Main">
        <AppShell.Section grow component={ScrollArea} type="auto">
          <Navigation />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <div className={classes.content}>{children}</div>
      </AppShell.Main>
    </AppShell>
  );
}
