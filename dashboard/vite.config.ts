import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/** Below this, compressing saves no packet. */
const COMPRESS_BYTES_MIN = 1_000;

export default defineConfig({
  plugins: [react(), colorSchemeFirst(), precompress()],
  worker: { plugins: () => [referencesWithoutDocument()] },
  build: {
    target: "es2023",
    // The first that know light-dark(): what it would be rewritten to needs `color-scheme` to be a literal, which it is not.
    cssTarget: ["chrome123", "edge123", "firefox120", "safari17.5"],
    // A file that is part of the page itself would need an exception in its content security policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    modulePreload: { polyfill: false },
  },
  server: {
    port: 4173,
    proxy: Object.fromEntries(["/v1", "/v2", "/healthz", "/tracker.js"].map((path) => [path, "http://127.0.0.1:4000"])),
  },
});

/** The build for browsers of this package asks the document what `&auml;` means, and a worker has none. */
function referencesWithoutDocument(): Plugin {
  const name = "decode-named-character-reference";
  return {
    name: "references-without-document",
    enforce: "pre",
    resolveId: (source) => (source === name ? fileURLToPath(import.meta.resolve(name)) : null),
  };
}

/**
 * Emits `src/color-scheme.js` as a file of its own, named after its content, and loads it before anything is drawn: our
 * policy forbids inline scripts, and modules run too late.
 */
function colorSchemeFirst(): Plugin {
  return {
    name: "color-scheme-first",
    apply: "build",
    async buildStart() {
      const source = await readFile(join(import.meta.dirname, "src/color-scheme.js"));
      this.emitFile({ type: "asset", name: "color-scheme.js", source });
    },
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle = {} }) {
        const file = Object.keys(bundle).find((name) => /color-scheme-[^/]+\.js$/.test(name));
        if (file === undefined) throw new Error("The build emitted no color-scheme.js.");
        return [{ tag: "script", attrs: { src: `/${file}` }, injectTo: "head-prepend" }];
      },
    },
  };
}

/** Writes each asset compressed beside itself, once and well, so that the service compresses nothing. */
function precompress(): Plugin {
  const brotli = promisify(brotliCompress);
  const zip = promisify(gzip);
  return {
    name: "precompress",
    apply: "build",
    async writeBundle({ dir }) {
      const assets = join(dir ?? "dist", "assets");
      for (const name of await readdir(assets)) {
        if (!/\.(?:js|css|svg)$/.test(name)) continue;
        const file = join(assets, name);
        const content = await readFile(file);
        if (content.length < COMPRESS_BYTES_MIN) continue;
        const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
        await writeFile(`${file}.br`, await brotli(content, { params }));
        await writeFile(`${file}.gz`, await zip(content, { level: 9 }));
      }
    },
  };
}
