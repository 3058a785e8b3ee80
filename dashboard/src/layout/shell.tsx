import { Burger } from "@mantine/core";
import { useDisclosure, useHotkeys } from "@mantine/hooks";
import { useEffect, useRef, type ReactNode } from "react";
import { Link, useLocation } from "wouter";
import { Breadcrumbs } from "./breadcrumbs.tsx";
import classes from "./layout.module.css";
import { Logo } from "./logo.tsx";
import { Navigation } from "./navigation.tsx";
import { UserMenu } from "./user-menu.tsx";

/** The frame of every page: the navigation at the side, behind a button on small screens. */
export function Shell({ children }: { children: ReactNode }) {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const [location] = useLocation();
  const main = useRef<HTMLElement>(null);
  useEffect(close, [location, close]);
  useHotkeys([["Escape", close]]);
  return (
    <div className={classes.shell}>
      <header className={classes.header}>
        <a
          className={classes.skip}
          href="#content"
          onClick={(event) => {
            // The address stays as it is, so that Back does not lead to the content once more.
            event.preventDefault();
            main.current?.focus();
          }}
        >
          Skip to the content
        </a>
        <div className={classes.brand}>
          <Burger
            opened={isOpen}
            onClick={toggle}
            hiddenFrom="md"
            size="sm"
            aria-expanded={isOpen}
            aria-controls="navigation"
            aria-label={isOpen ? "Close the navigation" : "Open the navigation"}
          />
          <Link href="/projects" className={classes.home} aria-label="Docent, all projects">
            <Logo />
          </Link>
        </div>
        <UserMenu />
      </header>
      <nav id="navigation" className={classes.navigation} data-open={isOpen} aria-label="Main">
        <Navigation />
      </nav>
      <main id="content" className={classes.main} tabIndex={-1} ref={main}>
        <div className={classes.content}>
          <Breadcrumbs />
          {children}
        </div>
      </main>
    </div>
  );
}
