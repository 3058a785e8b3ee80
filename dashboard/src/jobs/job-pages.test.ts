import type { Job, JobList } from "@docent/sdk";
import { expect, test } from "vitest";
import { addPage, firstPage, jobsOf, replacePage, type JobPages } from "./job-pages.ts";

/** A service with jobs of these numbers; the cursor of a page is the last id of the one before. */
function serviceOf(numbers: number[], size = 3) {
  const ids = numbers.toSorted((a, b) => b - a).map((number) => `job_${String(number).padStart(3, "0")}`);
  return (cursor?: string, status = "completed"): JobList => {
    const found = ids.filter((id) => cursor === undefined || id < cursor);
    const jobs = found.slice(0, size).map((id) => ({ id, status }) as Job);
    return { jobs, nextCursor: found.length > size ? (jobs.at(-1)?.id ?? null) : null };
  };
}

function readAll(read: (cursor?: string) => JobList): JobPages {
  let pages = firstPage(read());
  while (pages.nextCursor !== null) pages = addPage(pages, pages.nextCursor, read(pages.nextCursor));
  return pages;
}

const numbersOf = (pages: JobPages): number[] => jobsOf(pages).map(({ id }) => Number(id.slice(4)));
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

test("pages follow each other, and the same page is added once", () => {
  const read = serviceOf(upTo(8));
  const all = readAll(read);
  expect(numbersOf(all)).toEqual(upTo(8).toReversed());
  expect(addPage(all, "job_003", read("job_003"))).toBe(all);
});

test("new jobs come to the front and push none out", () => {
  const known = readAll(serviceOf(upTo(8)));
  const grown = replacePage(known, undefined, serviceOf(upTo(10))());
  expect(numbersOf(grown)).toEqual(upTo(10).toReversed());
});

test("when more are new than a page holds, the list begins anew", () => {
  const known = readAll(serviceOf(upTo(8)));
  const grown = replacePage(known, undefined, serviceOf(upTo(20))());
  expect(numbersOf(grown)).toEqual([20, 19, 18]);
  expect(grown.nextCursor).toBe("job_018");
});

test("a page that is read again shows what its jobs are now, each once", () => {
  const read = serviceOf(upTo(8));
  const known = readAll(read);
  const after = replacePage(known, "job_006", read("job_006", "failed"));
  expect(
    jobsOf(after)
      .map(({ status }) => status[0])
      .join(""),
  ).toBe("cccfffcc");

  // One has left the filter, so the page reaches into the next.
  const fewer = replacePage(known, "job_006", serviceOf([8, 7, 6, 5, 3, 2, 1])("job_006"));
  expect(numbersOf(fewer)).toEqual([8, 7, 6, 5, 3, 2, 1]);
});

test("a list that became short or empty is short or empty", () => {
  const known = readAll(serviceOf(upTo(8)));
  expect(numbersOf(replacePage(known, undefined, serviceOf([2])()))).toEqual([2]);
  expect(numbersOf(replacePage(known, undefined, serviceOf([])()))).toEqual([]);
});
