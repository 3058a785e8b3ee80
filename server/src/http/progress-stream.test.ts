import { expect, test } from "vitest";
import { ApiError } from "../errors.ts";
import { streamProgress, type Work } from "./progress-stream.ts";

type Report = (done: number, total: number) => void;

/** Work whose steps and end the test decides. */
function startWork(heartbeatMs = 60_000) {
  let report: Report = () => {};
  const end = Promise.withResolvers<void>();
  const stop = new AbortController();
  const errors: unknown[] = [];
  const work: Work = (onProgress) => {
    report = onProgress;
    return end.promise;
  };
  const options = { heartbeatMs, signal: stop.signal, onError: (error: unknown) => void errors.push(error) };
  const stream = streamProgress(work, options);
  return { stream, report: (...step: Parameters<Report>) => report(...step), end, stop, errors };
}

async function readAll(stream: AsyncIterable<string>): Promise<string[]> {
  const texts: string[] = [];
  for await (const text of stream) texts.push(text);
  return texts;
}

const event = (type: string, rest: object = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;

test("steps that come faster than they are read become one, and the end is the last", async () => {
  const { stream, report, end } = startWork();
  const first = stream.next();
  report(1, 5);
  report(2, 5);
  expect((await first).value).toBe(event("progress", { done: 2, total: 5 }));
  report(3, 5);
  report(4, 5);
  expect((await stream.next()).value).toBe(event("progress", { done: 4, total: 5 }));
  end.resolve();
  expect(await readAll(stream)).toEqual([event("done")]);
});

test("a step right before the end is told before it", async () => {
  const { stream, report, end } = startWork();
  const rest = readAll(stream);
  report(5, 5);
  end.resolve();
  expect(await rest).toEqual([event("progress", { done: 5, total: 5 }), event("done")]);
});

test("comments keep the connection alive", async () => {
  const { stream, end } = startWork(1);
  expect((await stream.next()).value).toBe(": still at it\n\n");
  end.resolve();
  for await (const text of stream) if (text === event("done")) return;
  expect.unreachable();
});

test("a failure tells what the client may know, and the log the rest", async () => {
  const secret = new Error("password=hunter2");
  const hidden = startWork();
  hidden.end.reject(secret);
  const [text = ""] = await readAll(hidden.stream);
  expect(text).toContain('"type":"failed"');
  expect(text).not.toContain("hunter2");
  expect(hidden.errors).toEqual([secret]);

  const known = startWork();
  known.end.reject(new ApiError("unavailable"));
  expect(await readAll(known.stream)).toEqual([event("failed", { error: new ApiError("unavailable").message })]);
});

test("a service that stops ends the stream and not the work", async () => {
  const { stream, report, stop, end } = startWork();
  const first = stream.next();
  report(1, 2);
  await first;
  stop.abort();
  expect((await stream.next()).value).toContain("The service stops");
  expect((await stream.next()).done).toBe(true);
  end.resolve();
});
