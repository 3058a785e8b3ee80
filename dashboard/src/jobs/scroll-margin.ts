import { useLayoutEffect, useState, type RefObject } from "react";

/** How far below the top of the page an element begins, also when what stands above it grows. */
export function useScrollMargin(element: RefObject<HTMLElement | null>): number {
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => {
    const measure = (): void => {
      if (element.current !== null) {
        setMargin(Math.round(element.current.getBoundingClientRect().top + window.scrollY));
      }
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [element]);
  return margin;
}
