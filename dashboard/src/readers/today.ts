import { useEffect, useState } from "react";
import { utcDay } from "./range.ts";

const TICK_MS = 30_000;

/** The day that it is in UTC, also for a page that is open over midnight. */
export function useToday(): string {
  const [today, setToday] = useState(() => utcDay(new Date()));
  useEffect(() => {
    const timer = setInterval(() => setToday(utcDay(new Date())), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return today;
}
