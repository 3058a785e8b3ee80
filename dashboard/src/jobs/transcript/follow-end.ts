import { useCallback, useEffect, useRef, useState, type RefObject } from "react";

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
 * @returns `isAtEnd`: whether the end is in sight; `stay`: what grows next is the reader's doing, and is not followed
 */
export function useFollowEnd(
  element: RefObject<HTMLElement | null>,
  followsAtFirst: boolean,
): { isAtEnd: boolean; stay: () => void } {
  const follows = useRef(followsAtFirst);
  const [isAtEnd, setIsAtEnd] = useState(true);

  useEffect(() => {
    let lastTop = window.scrollY;
    let isFirst = true;
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
      // What fits the window is at its end.
      if (isFirst && distanceFromEnd() < END_PX) follows.current = true;
      isFirst = false;
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

  const stay = useCallback(() => void (follows.current = false), []);
  return { isAtEnd, stay };
}
