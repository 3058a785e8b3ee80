import { useLayoutEffect, useState, type RefObject } from "react";

/**
 * How far below the top of the page a list of virtual rows begins. When what stands above it grows or shrinks, a reader
 * who is in the midst of the list stays where they are.
 */
export function useScrollMargin(element: RefObject<HTMLElement | null>): number {
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => {
    let known: number | undefined;
    const measure = (): void => {
      if (element.current === null) return;
      const measured = Math.round(element.current.getBoundingClientRect().top + window.scrollY);
      if (known !== undefined && measured !== known && window.scrollY > known) window.scrollBy(0, measured - known);
      known = measured;
      setMargin(measured);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [element]);
  return margin;
}
