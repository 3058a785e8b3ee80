import { expect, onTestFinished, test } from "vitest";
import { createNotifications, type NotificationEvent, type Notifications } from "./notifications.ts";
import { createTestDatabase, type TestDatabase } from "./testing/postgres.ts";

interface Recording {
  /** Waits until the events so far hold one that equals this, and forgets them up to it. */
  next(expected: NotificationEvent): Promise<void>;
  handler(event: NotificationEvent): void;
}

function createRecording(): Recording {
  const events: NotificationEvent[] = [];
  let wake = (): void => {};
  return {
    handler(event) {
      events.push(event);
      wake();
    },
    async next(expected) {
      for (;;) {
        const index = events.findIndex((event) => JSON.stringify(event) === JSON.stringify(expected));
        if (index >= 0) return void events.splice(0, index + 1);
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}

async function open(): Promise<{ database: TestDatabase; notifications: Notifications }> {
  const database = await createTestDatabase();
  const notifications = createNotifications({ connection: database.url, log: () => {}, retryMs: 1 });
  onTestFinished(async () => {
    await notifications.close();
    await database.close();
  });
  return { database, notifications };
}

test("a notification reaches each listener of its channel until it stops listening", async () => {
  const { database, notifications } = await open();
  const [one, two, other] = [createRecording(), createRecording(), createRecording()];
  const stop = notifications.listen("jobs_ready", one.handler);
  notifications.listen("jobs_ready", two.handler);
  notifications.listen('Odd "name"', other.handler);
  for (const recording of [one, two, other]) await recording.next({ type: "reconnected" });
  await database.pool.query("select pg_notify('jobs_ready', 'a')");
  await one.next({ type: "notification", payload: "a" });
  await two.next({ type: "notification", payload: "a" });
  stop();
  one.handler = () => expect.unreachable();
  await database.pool.query("select pg_notify('jobs_ready', 'b'), pg_notify('Odd \"name\"', 'c')");
  await two.next({ type: "notification", payload: "b" });
  await other.next({ type: "notification", payload: "c" });
});

test("after the connection was ended it listens again and says so", async () => {
  const { database, notifications } = await open();
  const recording = createRecording();
  notifications.listen("jobs_ready", recording.handler);
  await recording.next({ type: "reconnected" });
  for (const payload of ["first", "second", "third"]) {
    await database.pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'docent notifications' and datname = current_database()",
    );
    await recording.next({ type: "reconnected" });
    await database.pool.query("select pg_notify('jobs_ready', $1)", [payload]);
    await recording.next({ type: "notification", payload });
  }
});

test("it waits for a database that is not there yet, and can be closed meanwhile", async () => {
  const lines: string[] = [];
  const tried = Promise.withResolvers<void>();
  const notifications = createNotifications({
    connection: "postgresql://docent@localhost/docent?host=/nonexistent",
    log: (line) => {
      lines.push(line);
      if (lines.length === 3) tried.resolve();
    },
    retryMs: 1,
  });
  notifications.listen("jobs_ready", () => expect.unreachable());
  await tried.promise;
  await notifications.close();
  expect(lines[0]).toContain("ENOENT");
});
