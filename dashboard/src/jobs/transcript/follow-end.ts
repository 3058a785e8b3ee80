import { useEffect, useRef, useState, type RefObject } from "react";

/** So near to the end, a reader means the end. */
const END_PX = 60;

function distanceFromEnd(): number {
  return document.documentElement.scrollHeight - window.innerHeight - window.scrollY;
}

/** From there on the end stays in sight. */
export function scrollToEnd(): void {
  window.scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" });
}

/**
 * Keeps the end of a growing page in sight until the reader scrolls up, and again once they are back at the end.
 * @param element what grows
 * @returns whether the end is in sight
 */
export function useFollowEnd(element: RefObject<HTMLElement | null>, followsAtFirst: boolean): boolean {
  const follows = useRef(followsAtFirst);
  const [isAtEnd, setIsAtEnd] = useState(true);

  useEffect(() => {
    let lastTop = window.scrollY;
    const look = (): void => setIsAtEnd(distanceFromEnd() < END_PX);
    const onScroll = (): void => {
      const isUpwards = window.scrollY < lastTop;
      lastTop = window.scrollY;
      const distance = distanceFromEnd();
      if (isUpwards && distance > 4) follows.current = false;
      else if (!isUpwards && distance < END_PX) follows.current = true;
      look();
    };
    const observer = new ResizeObserver(() => {
      if (follows.current) scrollToEnd();
      look();
    });
    if (element.current !== null) observer.observe(element.current);
    window.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      observer.disconnect();
      window.removeEventListener("scroll", onScroll);
    };
  }, [element]);

  return isAtEnd;
}
