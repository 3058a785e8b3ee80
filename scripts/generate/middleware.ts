import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const HEADER = `// Docent's middleware, as one file without dependencies: for Node 20 and later, Deno, Bun and edges.
// Written by \`npm run generate\` from sdk/src/middleware; change that instead. How to use it: docs/guides/middleware.md
`;

/** The middleware in plain JavaScript, to be copied beside a server that knows no TypeScript. */
export async function bundleMiddleware(root: URL): Promise<string> {
  const bundle = await rolldown({
    // Paths in the output are relative to it.
    cwd: fileURLToPath(root),
    input: "./sdk/src/middleware/middleware.ts",
    platform: "neutral",
    transform: { target: "es2022" },
  });
  try {
    const { output } = await bundle.generate({ format: "esm", comments: { annotation: false } });
    return `${HEADER}${output[0].code}`;
  } finally {
    await bundle.close();
  }
}
