import { expect, inject, test } from "vitest";
import { describeViolations, enumerate } from "./enumerate.ts";
import { FOLLOW_UP } from "./shape.ts";

const childEnvironment = { PATH: process.env["PATH"] ?? "" };

test(
  "a worker that dies after any write or external call: another finishes the job, once",
  { timeout: 300_000 },
  async () => {
    const { lives, points, seconds } = await enumerate({
      postgresUrl: inject("postgresUrl"),
      childEnvironment,
      topology: "in place",
      shape: FOLLOW_UP,
      action: "kill",
      moments: ["after"],
      lanes: 2,
    });
    console.log(
      points.map((p) => `${p.name} ${p.occurrence}`).join("\n"),
      seconds,
      lives.map((l) => l.seconds.toFixed(2)).join(),
    );
    expect(describeViolations(lives)).toEqual([]);
  },
);
