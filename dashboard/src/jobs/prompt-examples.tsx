import { Anchor, Collapse, Text, UnstyledButton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link } from "wouter";
import classes from "./jobs.module.css";

export const OFFLINE_MODEL = "docent:offline";

/** Each is also understood by the offline model, whatever the repository holds. */
const EXAMPLES = [
  "fix broken links",
  'replace "click on" with "select", prose only',
  'add a page getting-started titled "Getting started" with the text: Start here.',
];

const EXAMPLES_OF_LANGUAGE_MODELS = [
  "Fix broken links, and list those that need a decision.",
  "Go through the guides: where do steps and commands no longer fit the reference? Mend them.",
  "Write a page about troubleshooting from what the guides say about errors.",
];

const OFFLINE_GRAMMAR = [
  ["Replace or rename a term", 'replace "Lantern Hub" with "Lantern Cloud" in guides/**, prose only'],
  ["Fix broken links, anchors, images and navigation entries", "fix broken links"],
  ["Move a page", "move guides/install to getting-started/install"],
  [
    "Add a page",
    'add a page guides/sso titled "Single sign-on" in group "Guides" with the text: Ask your administrator.',
  ],
  ["Set a front matter field", 'set description to "How to install" in guides/install'],
] as const;

/**
 * What can be asked for.
 * @param model undefined when it is not known; then what every model understands is shown
 */
export function PromptExamples({ model, onChoose }: { model: string | undefined; onChoose: (prompt: string) => void }) {
  const [showsGrammar, { toggle }] = useDisclosure(false);
  const isLanguageModel = model !== undefined && model !== OFFLINE_MODEL;
  return (
    <div style={{ display: "grid", gap: "var(--mantine-spacing-xs)" }}>
      <Text fw={600} size="sm" component="h2">
        For example
      </Text>
      {(isLanguageModel ? EXAMPLES_OF_LANGUAGE_MODELS : EXAMPLES).map((example) => (
        <button key={example} type="button" className={classes.example} onClick={() => onChoose(example)}>
          {example}
        </button>
      ))}
      {model === OFFLINE_MODEL && (
        <div>
          <Text size="sm" c="dimmed">
            This project works with {OFFLINE_MODEL}, which needs no key and no network and follows a fixed grammar.{" "}
            <UnstyledButton onClick={toggle} aria-expanded={showsGrammar} fz="sm" c="var(--mantine-color-anchor)">
              {showsGrammar ? "Hide what it understands" : "What it understands"}
            </UnstyledButton>
          </Text>
          <Collapse expanded={showsGrammar}>
            <Text size="sm" component="div" pt="xs">
              Several at once, if each has a line of its own:
              <ul style={{ margin: "4px 0 0", paddingInlineStart: "1.2rem" }}>
                {OFFLINE_GRAMMAR.map(([what, how]) => (
                  <li key={what}>
                    {what}: <span className="docent-mono">{how}</span>
                  </li>
                ))}
              </ul>
              For anything else, give the project a language model in its{" "}
              <Anchor component={Link} href="/settings?section=model" inherit underline="always">
                settings
              </Anchor>
              , or set DOCENT_MODEL for all projects of the server.
            </Text>
          </Collapse>
        </div>
      )}
    </div>
  );
}
