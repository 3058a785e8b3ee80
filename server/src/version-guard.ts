// Imported first by every entry point, before anything that an older Node lacks is used.

const NODE_MAJOR_MIN = 24;

/** Why Docent does not run on this version of Node, and how it is started right; undefined when it does. */
export function refuseNode(version: string): string | undefined {
  if (Number.parseInt(version, 10) >= NODE_MAJOR_MIN) return undefined;
  return (
    `Docent needs Node.js ${NODE_MAJOR_MIN} or newer, and this is ${version}. "npm install" brings the right one along: start with ` +
    `"./docent serve", "make demo" or "npm run …", which use it. If they end up here, it was installed with --ignore-scripts: ` +
    `run "npm rebuild node".`
  );
}

const refusal = refuseNode(process.versions.node);
if (refusal !== undefined) {
  process.stderr.write(`${refusal}\n`);
  process.exit(1);
}
