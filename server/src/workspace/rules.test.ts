import { describe, expect, test } from "vitest";
import { blobId } from "./object-id.ts";
import { createChangeRules } from "./rules.ts";
import { createPathIndex } from "./rules/path-index.ts";
import type { FileChange, FileMode, TreeEntry } from "./tree.ts";

const TREE: Record<string, FileMode> = {
  "README.md": "100644",
  "docs/docs.json": "100644",
  "docs/index.mdx": "100644",
  "docs/Guides/start.md": "100644",
  "docs/run.md": "100755",
  "docs/link.md": "120000",
  "docs/linked": "120000",
  "docs/module": "160000",
  "docs/logo.png": "100644",
  "docs/cafe\u0301.md": "100644",
  "src/index.ts": "100644",
};

const entries = Object.entries(TREE)
  .map(([path, mode]): TreeEntry => ({
    path,
    mode,
    oid: blobId(Buffer.from(path), "0".repeat(40)),
    bytes: path.length,
  }))
  .sort((a, b) => (a.path < b.path ? -1 : 1));

function rulesWith(allow: string[], docsPath = "docs", changes: FileChange[] = []) {
  return createChangeRules(
    { allow, filesMax: 100, bytesMax: 1_000_000 },
    {
      docsPath,
      isNavigationFile: (path) => path === "docs/docs.json" || path === "docs/package.json",
      index: createPathIndex(entries, new Map(changes.map((change) => [change.path, change]))),
      oidOf: (content) => blobId(content, "0".repeat(40)),
    },
  );
}

const ordinary = rulesWith([]);
/** A project that allows as much as can be said. */
const lavish = rulesWith(["**", "**/.*", "**/.*/**", ".*/**"], "");
const page = (path: string, content = "text\n"): FileChange => ({
  path,
  mode: "100644",
  content: Buffer.from(content),
});

describe("allowed", () => {
  test.each([
    "docs/new.md",
    "docs/new.mdx",
    "docs/NEW.MD",
    "docs/a/b/c/d.md",
    "docs/index.mdx",
    "docs/docs.json",
    "docs/Guides/start.md",
    "docs/Guides/other.md",
    "docs/images/a.png",
    "docs/images/a.JPG",
    "docs/a.jpeg",
    "docs/a.gif",
    "docs/a.svg",
    "docs/a.webp",
    "docs/a.avif",
    "docs/favicon.ico",
    "docs/über.md",
    "docs/文档/安装.md",
    "docs/установка.md",
    "docs/[slug].mdx",
    "docs/(group)/a.mdx",
    "docs/a b.md",
    "docs/@scope.md",
    "docs/1.0/a.md",
    "docs/v1.2.3.md",
    "docs/configuration.md",
    "docs/git.md",
    "docs/github.md",
    "docs/github/actions.md",
    "docs/agents.mdx",
    "docs/claude.mdx",
    "docs/package.md",
    "docs/makefile.md",
    "docs/dockerfile.md",
    "docs/lock.md",
    "docs/console.md",
    "docs/.well-known/a.md",
    "docs/😀.md",
    "docs/build.md",
    "docs/workspace.md",
  ])("%s", (path) => {
    expect(ordinary.check(page(path))).toBeUndefined();
  });

  test("deleting and replacing what may be written", () => {
    expect(ordinary.check({ path: "docs/index.mdx", mode: "100644", content: null })).toBeUndefined();
    expect(ordinary.check({ path: "docs/logo.png", mode: "100644", content: Buffer.from([0, 1, 2]) })).toBeUndefined();
  });

  test("what the project's globs add", () => {
    const rules = rulesWith(["static/**", "docs/snippets/*.json"]);
    expect(rules.check(page("static/llms.txt"))).toBeUndefined();
    expect(rules.check(page("docs/snippets/a.json"))).toBeUndefined();
    expect(rules.check(page("docs/snippets/deep/a.json"))?.refused).toMatch(/static\/\*\*, docs\/snippets\/\*\.json/);
    expect(rules.check(page("static/.env"))?.refused).toMatch(/hidden/);
  });

  test("a folder in place of a deleted file, and the other way round", () => {
    const gone = (path: string): FileChange => ({ path, mode: "100644", content: null });
    expect(rulesWith([], "docs", [gone("docs/index.mdx")]).check(page("docs/index.mdx/inside.md"))).toBeUndefined();
    expect(rulesWith([], "docs", [gone("docs/Guides/start.md")]).check(page("docs/guides/start.md"))).toBeUndefined();
  });
});

describe("refused by its place", () => {
  test.each<[path: string, reason: RegExp]>([
    ["README.md", /outside the documentation.*under docs\//],
    ["src/a.md", /outside/],
    ["docs.md", /outside/],
    ["docsx/a.md", /outside/],
    ["Docs/a.md", /outside/],
    ["docs/a.txt", /neither a page nor an image/],
    ["docs/a.html", /neither/],
    ["docs/a.js", /neither/],
    ["docs/a.tsx", /neither/],
    ["docs/a.json", /neither/],
    ["docs/a.yml", /neither/],
    ["docs/a.pdf", /neither/],
    ["docs/a", /neither/],
    ["docs/a.md.js", /neither/],
    ["docs/mdx", /neither/],
    ["docs/.hidden.md", /hidden/],
    ["docs/.hidden/a.md", /hidden/],
    ["docs/.env", /hidden/],
    ["docs/linked/a.md", /docs\/linked is a symbolic link, not a folder/],
    ["docs/module/a.md", /submodule, not a folder/],
    ["docs/index.mdx/a.md", /docs\/index\.mdx is a plain file, not a folder/],
    ["docs/run.md", /executable/],
    ["docs/link.md", /symbolic link/],
    ["docs/guides/start.md", /docs\/Guides/],
    ["docs/GUIDES/other.md", /docs\/Guides/],
    ["docs/INDEX.mdx", /docs\/index\.mdx differ only in case/],
    ["docs/café.md", /differ only/],
    ["docs/ｉndex.mdx", /differ only/],
  ])("%j", (path, reason) => {
    expect(ordinary.check(page(path))?.refused).toMatch(reason);
  });
});

describe("refused whatever the project allows", () => {
  const shapes: [string, RegExp][] = [
    ["", /empty/],
    ["/docs/a.md", /relative/],
    ["//docs/a.md", /relative/],
    ["~/a.md", /relative/],
    ["../a.md", /"\.\."/],
    ["docs/../a.md", /"\.\."/],
    ["docs/..", /"\.\."/],
    ["docs/./a.md", /"\."/],
    ["./a.md", /"\."/],
    ["docs//a.md", /empty part/],
    ["docs/a.md/", /empty part/],
    ["docs\\a.md", /backslash/],
    ["..\\a.md", /backslash/],
    ["C:/a.md", /drive/],
    ["c:a.md", /drive/],
    ["docs/a:b.md", /not every system/],
    ["docs/a.md::$DATA", /not every system/],
    ["docs/.git::$INDEX_ALLOCATION/config", /not every system/],
    ["docs/a?.md", /not every system/],
    ["docs/a*.md", /not every system/],
    ['docs/"a".md', /not every system/],
    ["docs/<a>.md", /not every system/],
    ["docs/a|b.md", /not every system/],
    ["docs/a\0.md", /control/],
    ["docs/a\n.md", /control/],
    ["docs/a\r.md", /control/],
    ["docs/a\t.md", /control/],
    ["docs/a\u001b[31m.md", /control/],
    ["docs/a\u007f.md", /control/],
    ["docs/a\u0085.md", /control/],
    ["docs/a\u200b.md", /invisible/],
    ["docs/a\u200d.md", /invisible/],
    ["docs/a\u202egnp.md", /invisible/],
    ["docs/\u2066a.md", /invisible/],
    ["docs/a\ufeff.md", /invisible/],
    ["docs/a\u00ad.md", /invisible/],
    ["docs/a\u2028.md", /invisible/],
    ["docs/a\u3164.md", /invisible/],
    ["docs/a\ufe0f.md", /invisible/],
    ["docs/a\u{e0041}.md", /invisible/],
    ["docs/a\ufffd.md", /Unicode/],
    ["docs/a\ud800.md", /Unicode/],
    ["docs/cafe\u0301s.md", /NFC/],
    ["docs/\u212b.md", /NFC/],
    ["docs/a.md.", /ends with a dot or a space/],
    ["docs/a.md ", /ends with a dot or a space/],
    ["docs/a /b.md", /ends with a dot or a space/],
    ["docs/a./b.md", /ends with a dot or a space/],
    ["docs/a\u00a0/b.md", /ends with a dot or a space/],
    ["docs/.../b.md", /ends with a dot/],
    ["docs/ a.md", /begins with a space/],
    ["docs/con.md", /device/],
    ["docs/NUL", /device/],
    ["docs/com1.md", /device/],
    ["docs/aux/b.md", /device/],
    ["docs/git~1/config", /short name/],
    ["GIT~1", /short name/],
    ["docs/AGENTS~1.MD", /short name/],
    [`docs/${"a".repeat(300)}.md`, /longer than 255/],
    [`docs/${"a/".repeat(600)}a.md`, /longer than 1024/],
  ];
  const names: [string, RegExp][] = [
    ".git",
    ".git/config",
    "docs/.git/hooks/post-checkout",
    ".GIT/config",
    ".Git/config",
    "docs/.gIt/a.md",
    ".gitattributes",
    "docs/.gitattributes",
    ".gitmodules",
    ".GitModules",
    ".gitignore",
    ".gitkeep",
    "docs/.gitconfig/a.md",
    "\uff0egit/config",
    ".ｇｉｔ/config",
    ".gіt/config",
    ".g\u0131t/config",
    ".gi\u03c4/config",
  ].map((path) => [path, /git/]);
  const ci: [string, RegExp][] = [
    ".github/workflows/a.yml",
    ".github/a.md",
    "docs/.github/a.md",
    ".GitHub/workflows/a.yml",
    ".GITHUB/a.md",
    ".ｇｉｔｈｕｂ/a.md",
    ".gіthub/workflows/a.yml",
    ".ɡithub/a.md",
    ".gıthub/a.md",
    ".gitlab/a.md",
    ".gitlab-ci.yml",
    ".GitLab-CI.yml",
    ".gitea/a.md",
    ".forgejo/a.md",
    ".circleci/config.yml",
    ".CircleCI/a.md",
    ".buildkite/a.md",
    ".woodpecker/a.md",
    "Jenkinsfile",
    "azure-pipelines.yml",
    "bitbucket-pipelines.yml",
    "CODEOWNERS",
    "docs/CODEOWNERS",
    "netlify.toml",
    "vercel.json",
    "wrangler.toml",
    "renovate.json",
    "codecov.yml",
  ].map((path) => [path, /git|CI|code host/]);
  const code: [string, RegExp][] = [
    "package.json",
    "docs/package.json",
    "PACKAGE.JSON",
    "Package.json",
    "ｐackage.json",
    "pаckage.json",
    "package-lock.json",
    "npm-shrinkwrap.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "bun.lockb",
    "Cargo.lock",
    "Cargo.toml",
    "go.mod",
    "go.sum",
    "Gemfile",
    "Gemfile.lock",
    "poetry.lock",
    "pyproject.toml",
    "requirements.txt",
    "docs/requirements-dev.txt",
    "composer.json",
    "pom.xml",
    "build.gradle",
    "deno.json",
    "tsconfig.json",
    "tsconfig.build.json",
    "Makefile",
    "makefile",
    "GNUmakefile",
    "docs/Makefile",
    "build.mk",
    "Dockerfile",
    "Dockerfile.dev",
    "prod.dockerfile",
    "docker-compose.yml",
    "docker-compose.prod.yaml",
    "compose.yaml",
    "Justfile",
    "Rakefile",
    "Procfile",
    "Vagrantfile",
    "CMakeLists.txt",
    "flake.nix",
    "docusaurus.config.js",
    "docs/docusaurus.config.ts",
    "next.config.mjs",
    "tailwind.config.cjs",
    "astro.config.mts",
    "a.Config.JS",
    "install.sh",
    "a.exe",
    "a.bat",
    "a.ps1",
    "node_modules/a/index.md",
    "docs/node_modules/a.md",
    ".husky/pre-commit",
    ".vscode/settings.json",
    ".devcontainer/devcontainer.json",
    ".yarn/a.md",
  ].map((path) => [path, /package|build|lock|config|program|deployment/]);
  const agents: [string, RegExp][] = [
    "AGENTS.md",
    "docs/AGENTS.md",
    "agents.md",
    "Agents.MD",
    "docs/deep/AGENTS.md",
    "ＡGENTS.md",
    "АGENTS.md",
    "AGENTS.override.md",
    "CLAUDE.md",
    "claude.md",
    "CLAUDE.local.md",
    "ϹLAUDE.md",
    "GEMINI.md",
    "docs/gemini.md",
    ".cursorrules",
    ".CursorRules",
    ".windsurfrules",
    ".clinerules",
    ".clinerules/a.md",
    "copilot-instructions.md",
    ".github/copilot-instructions.md",
    ".docent/AGENTS.md",
    ".docent/a.md",
    "docs/.docent/a.md",
    ".Docent/a.md",
    ".mintlify/AGENTS.md",
    ".cursor/rules/a.mdc",
    ".claude/settings.json",
    "docs/.claude/a.md",
    ".codex/a.md",
    ".gemini/a.md",
    ".agents/a.md",
    "QWEN.md",
  ].map((path) => [path, /agent|git/i]);

  test.each([...shapes, ...names, ...ci, ...code, ...agents])("%j", (path, reason) => {
    const refused = lavish.check(page(path))?.refused;
    expect(refused).toMatch(reason);
    // A sentence, not a code.
    expect(refused).toMatch(/\.$/);
    expect(lavish.check({ path, mode: "100644", content: null })?.refused).toBe(refused);
  });

  test("there are enough of them", () => {
    expect(shapes.length + names.length + ci.length + code.length + agents.length).toBeGreaterThan(190);
  });

  test.each<[string, FileMode, RegExp]>([
    ["docs/a.md", "120000", /symbolic link/],
    ["docs/a.md", "100755", /executable/],
    ["docs/a.md", "160000", /submodule/],
    ["docs/logo.png", "100755", /executable/],
  ])("%s as %s", (path, mode, reason) => {
    expect(lavish.check({ path, mode, content: Buffer.from("x") })?.refused).toMatch(reason);
  });

  test.each<[string, Uint8Array, RegExp]>([
    ["docs/a.md", Buffer.from("a\0b"), /binary/],
    ["docs/a.md", Buffer.from([0xff, 0xfe, 0x61, 0]), /UTF-16/],
    ["docs/a.md", Buffer.from([0x61, 0xe9, 0x62]), /UTF-8/],
    ["docs/a.svg", Buffer.from([0xc3, 0x28]), /UTF-8/],
    [
      "docs/a.png",
      Buffer.from(`version https://git-lfs.github.com/spec/v1\noid sha256:${"b".repeat(64)}\nsize 1\n`),
      /LFS/,
    ],
    [
      "docs/a.md",
      Buffer.from(`version https://git-lfs.github.com/spec/v1\noid sha256:${"b".repeat(64)}\nsize 1\n`),
      /LFS/,
    ],
  ])("content of %s", (path, content, reason) => {
    expect(lavish.check({ path, mode: "100644", content })?.refused).toMatch(reason);
  });
});

test("a page that is refused for its name is told the name that would do", () => {
  expect(ordinary.check(page("docs/agents.md"))?.refused).toMatch(/\.mdx/);
});
