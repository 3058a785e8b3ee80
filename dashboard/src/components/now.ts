import { useEffect, useState } from "react";

const TICK_MS = 30_000;

/** The time, to half a minute, for what is told relative to it. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
