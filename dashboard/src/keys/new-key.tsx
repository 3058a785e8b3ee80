import type { NewApiKey } from "@docent/sdk";
import { Button, Group, Stack, Text } from "@mantine/core";
import { CodeBlock } from "../components/code-block.tsx";
import { exampleRequest } from "./scopes.ts";

/** A key that was just made, the only time that it is seen, and a request that works with it. */
export function NewKey({ made, projectId, onDone }: { made: NewApiKey; projectId: string; onDone(): void }) {
  return (
    <Stack>
      <Text>
        This is the key{" "}
        <b>
          <bdi>{made.name}</bdi>
        </b>
        . Docent keeps only its fingerprint: once this is closed, nobody can show it again.
      </Text>
      <CodeBlock code={made.key} label="The key" />
      <Text>Try it:</Text>
      <CodeBlock
        code={exampleRequest(made.scope, made.key, projectId, location.origin)}
        label="A request with this key"
      />
      <Group justify="flex-end">
        <Button onClick={onDone}>I have copied it</Button>
      </Group>
    </Stack>
  );
}
