import { skeleton } from "./skeleton.ts";

/** Hidden folders that serve readers, not tools. */
const PLAIN_HIDDEN = new Set([".well-known"]);

const PROTECTED_FOLDERS = new Map<string, string>([
  ...names("git's own files", ".git"),
  ...names(
    "the code host's and CI's configuration",
    ".github .gitlab .gitea .forgejo .circleci .buildkite .woodpecker .azure-pipelines .azuredevops .tekton .teamcity .semaphore .drone",
  ),
  ...names(
    "instructions and settings of AI agents",
    ".docent .mintlify .cursor .claude .codex .gemini .agents .agent .windsurf .continue .clinerules .roo .kiro .junie .amazonq .augment .opencode .aider",
  ),
  ...names(
    "a tool's configuration",
    ".vscode .idea .husky .devcontainer .yarn .cargo .config .ssh .aws .docker .vercel .netlify",
  ),
  ...names("installed packages", "node_modules bower_components __pycache__"),
]);

const PROTECTED_FILES = new Map<string, string>([
  ...names(
    "instructions for AI agents",
    "agents.md agents.override.md agent.md claude.md claude.local.md gemini.md qwen.md warp.md copilot-instructions.md .cursorrules .windsurfrules .clinerules .roorules .goosehints .aider.conf.yml",
  ),
  ...names(
    "a package or build file",
    "package.json package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml pnpm-workspace.yaml bun.lock bun.lockb deno.json deno.jsonc deno.lock lerna.json nx.json turbo.json rush.json " +
      "pyproject.toml setup.py setup.cfg pipfile pipfile.lock poetry.lock uv.lock pdm.lock environment.yml tox.ini noxfile.py conftest.py gemfile gemfile.lock rakefile cargo.toml cargo.lock go.mod go.sum go.work composer.json composer.lock " +
      "pom.xml build.gradle build.gradle.kts settings.gradle settings.gradle.kts gradlew gradle.properties build.sbt mix.exs mix.lock pubspec.yaml pubspec.lock package.swift project.clj " +
      "makefile gnumakefile bsdmakefile justfile taskfile.yml taskfile.yaml procfile vagrantfile brewfile cmakelists.txt meson.build build build.bazel workspace workspace.bazel module.bazel flake.nix flake.lock default.nix shell.nix " +
      "dockerfile containerfile compose.yml compose.yaml",
  ),
  ...names(
    "CI or deployment configuration",
    "jenkinsfile appveyor.yml azure-pipelines.yml bitbucket-pipelines.yml cloudbuild.yaml cloudbuild.yml buildspec.yml codemagic.yaml netlify.toml vercel.json now.json wrangler.toml wrangler.json wrangler.jsonc fly.toml render.yaml firebase.json " +
      "codeowners renovate.json renovate.json5 dependabot.yml codecov.yml skaffold.yaml serverless.yml serverless.yaml",
  ),
]);

const PROTECTED_PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/^\.git/, "git's own configuration"],
  [/^gi(?:t|7eba|7d29|2505|bm|tm)[^.]*~\d/, "git's own configuration"],
  [/\.config\.[^/]+$/, "a tool's or the framework's configuration code"],
  [/^(?:tsconfig|jsconfig)\b.*\.json$/, "a package or build file"],
  [/^requirements.*\.(?:txt|in)$/, "a package or build file"],
  [/^constraints.*\.txt$/, "a package or build file"],
  [/^docker-compose.*\.ya?ml$/, "a package or build file"],
  [
    /^(?:dockerfile|containerfile|makefile|jenkinsfile)\.(?!mdx?$).+$|\.(?:dockerfile|mk|mak|gemspec|csproj|sln|cmake|nuspec|podspec)$/,
    "a package or build file",
  ],
  [/\.lock$|-lock\.(?:json|ya?ml)$/, "a lock file"],
  [/\.(?:exe|dll|so|dylib|com|bat|cmd|ps1|sh|bash|zsh|fish|jar|msi|scr|app|wasm|node)$/, "a program"],
];

function names(reason: string, list: string): [string, string][] {
  return list.split(" ").map((name) => [name, reason]);
}

/**
 * What a path is, when it is one that nobody may publish through Docent, whatever the project allows: as the end of
 * "… is …". Compares what names look like, so that case, accents, full-width and look-alike letters hide nothing.
 */
export function protectedAs(path: string): string | undefined {
  const parts = path.split("/").map(skeleton);
  const folders = parts.slice(0, -1);
  const file = parts.at(-1) ?? "";
  for (const folder of folders) {
    const reason = PROTECTED_FOLDERS.get(folder) ?? (folder.startsWith(".git") ? "git's own files" : undefined);
    if (reason !== undefined) return reason;
  }
  return (
    PROTECTED_FOLDERS.get(file) ??
    PROTECTED_FILES.get(file) ??
    PROTECTED_PATTERNS.find(([pattern]) => parts.some((part) => pattern.test(part)))?.[1]
  );
}

/** Whether a part of the path is hidden (begins with a dot), other than folders that readers use. */
export function isHidden(path: string): boolean {
  return path.split("/").some((part) => skeleton(part).startsWith(".") && !PLAIN_HIDDEN.has(part));
}
