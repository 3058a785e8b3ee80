import { useEffect, type RefObject } from "react";

let lastPath: string | null = null;
let isTraversal = false;
addEventListener("popstate", () => {
  isTraversal = true;
});

/**
 * Moves the focus to the heading of a page that was just opened, so that the keyboard and screen readers go on there, and
 * the page begins at its top unless Back led to it. The first page keeps the browser's own focus, and a page that has put
 * the focus into a field of its own keeps that.
 */
export function usePageFocus(heading: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { pathname } = location;
    const isOpened = lastPath !== null && lastPath !== pathname;
    lastPath = pathname;
    if (!isOpened) return;
    const isBack = isTraversal;
    isTraversal = false;
    if (!isBack) scrollTo(0, 0);
    const isInContent = document.activeElement?.closest("#content input, #content textarea") ?? null;
    if (isInContent === null) heading.current?.focus({ preventScroll: true });
  });
}
