import { useCallback, useEffect, useRef, useState } from "react";

/** So near to the end, a reader means the end. */
const END_PX = 60;
/** For how long after a key, a wheel or a finger a page scrolls because of it. */
const INPUT_MS = 1_000;
const INPUTS = ["wheel", "touchmove", "keydown", "pointerdown"] as const;
const SCROLLING_KEYS: readonly string[] = ["ArrowUp", "PageUp", "Home", " "];

function distanceFromEnd(): number {
  return document.documentElement.scrollHeight - window.innerHeight - window.scrollY;
}

/** From there on the end stays in sight. */
export function scrollToEnd(): void {
  window.scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" });
}

/**
 * Keeps the end of a growing page in sight until the reader scrolls up, and again once they are back at the end.
 * @returns `isAtEnd`: whether the end is in sight; `stay`: what grows next is the reader's doing, and is not followed
 */
export function useFollowEnd(followsAtFirst: boolean): { isAtEnd: boolean; stay: () => void } {
  const follows = useRef(followsAtFirst);
  const [isAtEnd, setIsAtEnd] = useState(true);

  useEffect(() => {
    let lastTop = window.scrollY;
    let lastInputAt = Number.NEGATIVE_INFINITY;
    // What fits the window is at its end.
    if (distanceFromEnd() < END_PX) follows.current = true;

    const onInput = (event: Event): void => {
      if (event instanceof KeyboardEvent && !SCROLLING_KEYS.includes(event.key)) return;
      // Outside of everything is the scroll bar.
      if (event.type === "pointerdown" && event.target !== document.documentElement) return;
      lastInputAt = event.timeStamp;
    };
    const onScroll = ({ timeStamp }: Event): void => {
      const distance = distanceFromEnd();
      // Rows that turn out to be smaller than was thought also move the page up, by less than a window and unasked.
      const isAsked = timeStamp - lastInputAt < INPUT_MS || distance > window.innerHeight;
      if (window.scrollY >= lastTop) follows.current ||= distance < END_PX;
      else if (isAsked && distance > 4) follows.current = false;
      // The list has put the page where it was before it grew.
      if (follows.current && distance >= 1) scrollToEnd();
      lastTop = window.scrollY;
      setIsAtEnd(distance < END_PX);
    };
    const observer = new ResizeObserver(() => {
      if (follows.current) scrollToEnd();
      setIsAtEnd(distanceFromEnd() < END_PX);
    });
    observer.observe(document.body);
    for (const input of INPUTS) window.addEventListener(input, onInput, { passive: true });
    window.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      observer.disconnect();
      for (const input of INPUTS) window.removeEventListener(input, onInput);
      window.removeEventListener("scroll", onScroll);
    };
  }, []);

  const stay = useCallback(() => void (follows.current = false), []);
  return { isAtEnd, stay };
}
