import { useEffect, useState } from "react";

/** A way out of the page that waits for the person's word. */
export interface Leaving {
  go(): void;
  stay(): void;
}

interface Traversal extends Event {
  navigationType: string;
  destination: { key: string; url: string };
}

interface NavigationHistory extends EventTarget {
  traverseTo(key: string): unknown;
}

/**
 * While something is unsaved, keeps links and the Back button from leaving the page (the path, that is) and gives what
 * was to happen instead; closing the tab makes the browser ask.
 */
export function useUnsaved(isUnsaved: boolean): Leaving | null {
  const [leaving, setLeaving] = useState<Leaving | null>(null);
  useEffect(() => {
    if (!isUnsaved) return;
    let isLeaving = false;
    const ask = (go: () => void): void =>
      setLeaving({
        go() {
          isLeaving = true;
          setLeaving(null);
          go();
        },
        stay: () => setLeaving(null),
      });

    const onUnload = (event: BeforeUnloadEvent): void => {
      if (!isLeaving) event.preventDefault();
    };
    const onClick = (event: MouseEvent): void => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
      if (isLeaving || link === null || !isPlain || link.target === "_blank") return;
      if (link.origin === location.origin && link.pathname === location.pathname) return;
      event.preventDefault();
      event.stopPropagation();
      ask(() => link.click());
    };
    // Only Chromium, Safari 26 and Firefox 147 know this; elsewhere Back leaves without asking.
    const history = (window as { navigation?: NavigationHistory }).navigation;
    const onNavigate = (event: Event): void => {
      const { navigationType, destination } = event as Traversal;
      if (isLeaving || navigationType !== "traverse" || !event.cancelable) return;
      if (new URL(destination.url).pathname === location.pathname) return;
      event.preventDefault();
      ask(() => history?.traverseTo(destination.key));
    };

    window.addEventListener("beforeunload", onUnload);
    document.addEventListener("click", onClick, { capture: true });
    history?.addEventListener("navigate", onNavigate);
    return () => {
      window.removeEventListener("beforeunload", onUnload);
      document.removeEventListener("click", onClick, { capture: true });
      history?.removeEventListener("navigate", onNavigate);
    };
  }, [isUnsaved]);
  return leaving;
}
