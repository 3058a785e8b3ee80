import type { Job, JobList } from "@docent/sdk";

/** The part of a list that was read so far, newest first. */
export interface JobPages {
  pages: readonly JobPage[];
  /** Null once the oldest job was read. */
  nextCursor: string | null;
}

interface JobPage {
  /** What it is read with; absent for the newest. */
  cursor: string | undefined;
  jobs: readonly Job[];
}

export function firstPage(list: JobList): JobPages {
  return { pages: [{ cursor: undefined, jobs: list.jobs }], nextCursor: list.nextCursor };
}

/** Adds what was read with `known.nextCursor`. */
export function addPage(known: JobPages, cursor: string, list: JobList): JobPages {
  // Two answers to the same question add it once.
  if (known.nextCursor !== cursor) return known;
  return { pages: [...known.pages, { cursor, jobs: list.jobs }], nextCursor: list.nextCursor };
}

/**
 * Puts a page that was read again in its place. New jobs push others over the page's end: those stay, as they were known,
 * where they stand. When more new jobs came than the newest page holds, the list begins anew.
 */
export function replacePage(known: JobPages, cursor: string | undefined, list: JobList): JobPages {
  const index = known.pages.findIndex((page) => page.cursor === cursor);
  const before = known.pages[index];
  if (before === undefined) return known;
  // Ids sort by their time of creation.
  const oldest = list.jobs.at(-1)?.id;
  const isLast = index === known.pages.length - 1;
  if (list.nextCursor === null || oldest === undefined) {
    const pages = [...known.pages.slice(0, index), { cursor, jobs: list.jobs }];
    return { pages, nextCursor: null };
  }
  const newestBefore = before.jobs[0]?.id;
  if (index === 0 && (newestBefore === undefined || newestBefore < oldest)) return firstPage(list);
  const pushed = before.jobs.filter(({ id }) => id < oldest);
  const pages = known.pages.with(index, { cursor, jobs: [...list.jobs, ...pushed] });
  return { pages, nextCursor: isLast && pushed.length === 0 ? list.nextCursor : known.nextCursor };
}

/** The jobs, each once: a page that was read again may reach into the next. */
export function jobsOf({ pages }: JobPages): Job[] {
  const jobs: Job[] = [];
  for (const page of pages) {
    for (const job of page.jobs) {
      const last = jobs.at(-1);
      if (last === undefined || job.id < last.id) jobs.push(job);
    }
  }
  return jobs;
}
