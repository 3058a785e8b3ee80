import type { PullRequest } from "@docent/sdk";
import { Text, Title } from "@mantine/core";
import { CodeBlock } from "../components/code-block.tsx";
import { useProject } from "../projects/project-context.tsx";
import classes from "./pulls.module.css";

/** How to get it with git, to read or to go on with it. */
export function FetchCommands({ pull }: { pull: PullRequest }) {
  const { repository } = useProject();
  const isOpen = pull.state === "open";
  const ref = isOpen ? pull.headBranch : `pull/${pull.number}/head`;
  return (
    <details className={`docent-card ${classes.panel}`}>
      <summary>
        <Title order={2} size="h5" display="inline">
          With git
        </Title>
      </summary>
      <CodeBlock
        label="Commands that fetch the branch"
        code={`git fetch ${repository} ${shellWord(ref)}\ngit checkout FETCH_HEAD`}
      />
      <Text size="sm" c="dimmed" mt="xs">
        Any user name; the password is an API key of the project.
        {isOpen && " Push to the branch, and this page shows it."}
      </Text>
    </details>
  );
}

/** Branch names may hold what a shell acts on; this line is made to be copied. */
function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
