import type { Project } from "@docent/sdk";
import { Autocomplete, Button, Collapse, Select, Stack, Switch, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconAdjustmentsHorizontal } from "@tabler/icons-react";

/** What a job may choose beside its instruction; what is absent is the project's. */
export interface JobChoices {
  ref?: string;
  draft?: boolean;
  model?: string;
}

/** The choices of a new job, folded away: only those that the project allows. */
export function JobOptions({
  project,
  choices,
  onChange,
}: {
  project: Project;
  choices: JobChoices;
  onChange: (choices: JobChoices) => void;
}) {
  const [isOpen, { toggle }] = useDisclosure(Object.keys(choices).length > 0);
  const { allowedRefs = [], models = [], model, pullRequests } = project.settings;
  const draftOfProject = pullRequests?.draft === true;

  function choose<Name extends keyof JobChoices>(name: Name, value: JobChoices[Name] | undefined): void {
    const { [name]: _before, ...others } = choices;
    onChange(value === undefined ? others : { ...others, [name]: value });
  }

  return (
    <div>
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
        onClick={toggle}
        aria-expanded={isOpen}
      >
        Options
      </Button>
      <Collapse expanded={isOpen}>
        <Stack gap="sm" pt="sm" maw="30rem">
          {allowedRefs.length > 0 ? (
            <Autocomplete
              label="Branch"
              description={`To start from and to open the pull request against. Allowed: ${[project.ref, ...allowedRefs].join(", ")}`}
              placeholder={project.ref}
              data={[project.ref, ...allowedRefs.filter((ref) => !/[*?[{!]/.test(ref))]}
              value={choices.ref ?? ""}
              onChange={(ref) => choose("ref", ref.trim() === "" || ref === project.ref ? undefined : ref.trim())}
            />
          ) : (
            <Text size="sm">
              Branch: <span className="docent-mono">{project.ref}</span>
            </Text>
          )}
          {models.length > 0 && (
            <Select
              label="Model"
              placeholder={model ?? "The server's"}
              data={[...new Set([...(model === undefined ? [] : [model]), ...models])]}
              value={choices.model ?? null}
              onChange={(chosen) => choose("model", chosen ?? undefined)}
              clearable
            />
          )}
          <Switch
            label="Open the pull request as a draft"
            checked={choices.draft ?? draftOfProject}
            onChange={({ currentTarget: { checked } }) =>
              choose("draft", checked === draftOfProject ? undefined : checked)
            }
          />
        </Stack>
      </Collapse>
    </div>
  );
}
