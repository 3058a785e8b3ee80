import { Anchor, Button, List, Stack, Tabs, Text } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import { CodeBlock } from "../../components/code-block.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { useProject } from "../../projects/project-context.tsx";
import { Arrival } from "./arrival.tsx";
import { CollectKey } from "./collect-key.tsx";
import { Origins } from "./origins.tsx";
import {
  curlSnippet,
  importSnippet,
  middlewareKeySnippet,
  middlewareSnippet,
  trackerSnippet,
  type Target,
} from "./snippets.ts";

/** How visits get here: the four ways, ready to copy, and a look-out for the first one. */
export function SetUp({ onDone }: { onDone: () => void }) {
  const { id } = useProject();
  const [key, setKey] = useState<string | null>(null);
  const target: Target = { origin: location.origin, projectId: id, key };
  const collectKey = <CollectKey projectId={id} made={key} onMade={setKey} />;
  return (
    <>
      <PageHeader
        title="Readers"
        description="Let Docent know who reads your documentation. Take the tracker for people, and the middleware or your logs for AI agents."
        actions={
          <Button variant="default" leftSection={<IconArrowLeft size={18} aria-hidden />} onClick={onDone}>
            To the report
          </Button>
        }
      />
      <Stack gap="md">
        <Arrival projectId={id} onDone={onDone} />
        <div className="docent-card">
          <Tabs defaultValue="tracker" keepMounted={false}>
            <Tabs.List>
              <Tabs.Tab value="tracker">Tracker</Tabs.Tab>
              <Tabs.Tab value="middleware">Middleware</Tabs.Tab>
              <Tabs.Tab value="log">Logs</Tabs.Tab>
              <Tabs.Tab value="curl">curl</Tabs.Tab>
            </Tabs.List>
            <Way value="tracker" sees="People, in their browsers. AI agents run no JavaScript and are not seen by it.">
              <List.Item>
                Allow the site that the pages are on.
                <Origins />
              </List.Item>
              <List.Item>
                Put this line into the head of every page:
                <CodeBlock code={trackerSnippet(target)} label="The tracker's line" />
              </List.Item>
              <List.Item>Open a page of the site.</List.Item>
            </Way>
            <Way value="middleware" sees="People and AI agents, on the server that the pages come from.">
              <List.Item>
                Copy <code>sdk/middleware.mjs</code> of Docent beside your server as <code>docent-middleware.mjs</code>.
              </List.Item>
              <List.Item>
                Give the server a key that can report visits and nothing else.
                {collectKey}
                <CodeBlock code={middlewareKeySnippet(target)} label="The key for the server" />
              </List.Item>
              <List.Item>
                Record the views. This is for Express; Hono, Next.js, Cloudflare Workers and others take two lines as
                well.
                <CodeBlock code={middlewareSnippet(target)} label="The middleware" />
              </List.Item>
            </Way>
            <Way
              value="log"
              sees="People and AI agents, afterwards, in the logs of nginx, Apache, Caddy, Cloudflare, CloudFront or Vercel. A line counts once, however often a log is imported."
            >
              <List.Item>
                The import needs a key that can report visits and nothing else.
                {collectKey}
              </List.Item>
              <List.Item>
                Run this where the logs are, in Docent&rsquo;s folder:
                <CodeBlock code={importSnippet(target)} label="The import" />
              </List.Item>
            </Way>
            <Way
              value="curl"
              sees="Whatever else knows of page views can report them itself, one by one or up to 1,000 at a time."
            >
              <List.Item>
                Reporting needs a key that can do this and nothing else.
                {collectKey}
              </List.Item>
              <List.Item>
                Report a view:
                <CodeBlock code={curlSnippet(target)} label="A view, reported with curl" />
              </List.Item>
            </Way>
          </Tabs>
        </div>
        <Text size="sm" c="dimmed">
          If readers reach Docent by another address than <bdi>{location.origin}</bdi>, write that one. Addresses of
          readers are never stored. Every field of a view is in the{" "}
          <Anchor href="/reference" underline="always">
            API reference
          </Anchor>
          .
        </Text>
      </Stack>
    </>
  );
}

function Way({ value, sees, children }: { value: string; sees: string; children: ReactNode }) {
  return (
    <Tabs.Panel value={value} p="md">
      <Text mb="sm">
        <Text span fw={600}>
          Sees:{" "}
        </Text>
        {sees}
      </Text>
      <List type="ordered" spacing="md" styles={{ itemWrapper: { display: "block" }, itemLabel: { display: "block" } }}>
        {children}
      </List>
    </Tabs.Panel>
  );
}
