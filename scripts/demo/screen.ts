import type { Terminal } from "../../cli/src/terminal.ts";
import { excerpts, type FileDiff } from "./diff.ts";

const WIDTH = 80;

const OFFLINE_INSTRUCTIONS = [
  "fix broken links",
  'replace "A" with "B" in guides/**',
  "move guides/testing to sdks/testing",
  'add a page guides/faq titled "FAQ" after guides/testing with the text: …',
  'set description to "…" in quickstart',
];

/** How the demo talks: numbered steps, the request behind each, and what came of it. */
export interface Screen {
  step(text: string): void;
  /** The request of a step, as a reader would send it with curl. */
  request(path: string, credential: string, body: object): void;
  /** A command of a step, as a reader would type it. */
  command(text: string): void;
  done(text: string): void;
  /** At most so many lines of a diff, and what was left out. */
  diff(files: readonly FileDiff[], linesMax: number): void;
  /** What a reader can do now. */
  advice(facts: { model: string; projectId: string; data: string; url: string; invitationUrl: string }): void;
}

export function createScreen(terminal: Terminal): Screen {
  const line = (text = ""): void => terminal.write(`${text}\n`);
  let steps = 0;

  function showFile(file: FileDiff, linesMax: number): void {
    const count = (sign: string): number => file.lines.filter((changed) => changed.sign === sign).length;
    const added = terminal.style("green", `+${count("+")}`);
    const removed = terminal.style("red", `-${count("-")}`);
    line(`${terminal.style("bold", file.path)}  ${added} ${removed}`);
    for (const { sign, text } of excerpts(file.lines, WIDTH - 4).slice(0, linesMax)) {
      line(terminal.style(sign === "+" ? "green" : "red", `  ${sign} ${text}`));
    }
  }

  return {
    step(text) {
      steps += 1;
      line(`\n${terminal.style(["bold", "cyan"], String(steps))}  ${terminal.style("bold", text)}`);
    },
    request(path, credential, body) {
      const rows = [
        `$ curl $DOCENT_URL${path}`,
        `    -H "Authorization: Bearer $${credential}"`,
        `    --json '${JSON.stringify(body)}'`,
      ];
      line(terminal.style("dim", rows.join(" \\\n")));
    },
    command: (text) => line(terminal.style("dim", `$ ${text}`)),
    done: (text) => line(`${terminal.style("green", "✓")} ${text}`),
    diff(files, linesMax) {
      // Two changed lines of each file say more than all of the first ones.
      const shown = files.slice(0, Math.floor(linesMax / 3));
      for (const file of shown) showFile(file, Math.max(2, Math.floor(linesMax / files.length) - 1));
      const rest = files.length - shown.length;
      if (rest > 0) line(terminal.style("dim", `… and ${rest} more ${rest === 1 ? "file" : "files"}`));
    },
    advice({ model, projectId, data, url, invitationUrl }) {
      const command = (text: string): void => line(`  ${terminal.style("cyan", text)}`);
      line("Look at all of it in the browser; the link makes your account:");
      command(invitationUrl);
      if (model === "docent:offline") {
        line(`This was ${terminal.style("bold", model)}: no key, no network, and five kinds of instructions:`);
        for (const instruction of OFFLINE_INSTRUCTIONS) command(instruction);
        line("It refuses everything else, with the reason. For a language model, set a variable:");
        command("DOCENT_MODEL=openai-compatible:MODEL DOCENT_MODEL_BASE_URL=https://… make demo");
      } else {
        line(`This was ${terminal.style("bold", model)}: any instruction in plain words will do.`);
      }
      line("While this runs, in another terminal:");
      command(`export DOCENT_URL=${url} DOCENT_DATA=${data}`);
      command(`export DOCENT_PROJECT=${projectId}`);
      command('export DOCENT_API_KEY="$(./docent key create --name me --quiet)"');
      command('./docent job create "move guides/testing to sdks/testing" --watch');
      command("./docent agents");
      line("With documentation of your own:");
      command("./docent project create --name Docs --repository https://github.com/you/docs");
    },
  };
}
