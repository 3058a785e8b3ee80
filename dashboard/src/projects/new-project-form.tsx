import { Anchor, Button, Card, Group, Radio, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useLocation } from "wouter";
import { ErrorNotice } from "../components/error-notice.tsx";
import { docent } from "../docent.ts";
import { CredentialFields, isCredentialComplete, NO_CREDENTIAL } from "./credential-fields.tsx";
import { projectKey, PROJECTS } from "./queries.ts";
import { codeHostOf, creationOf, nameOf, SOURCES, type NewProjectValues, type Source } from "./sources.ts";
import classes from "./projects.module.css";

const REPOSITORY: Readonly<Record<Exclude<Source, "empty">, { label: string; description: string; example: string }>> =
  {
    url: {
      label: "Git URL",
      description: "What git clone takes. For a private one, put a token into it: https://user:token@host/path.",
      example: "https://github.com/you/docs.git",
    },
    path: {
      label: "Path on the server",
      description: "The directory that holds .git, or a bare repository. What is committed is imported.",
      example: "/home/you/docs",
    },
    github: { label: "Repository", description: "Its URL, or owner/name.", example: "you/docs" },
    gitlab: { label: "Repository", description: "Its URL, or group/name.", example: "group/docs" },
    gitea: { label: "Repository", description: "Its URL.", example: "https://codeberg.org/you/docs" },
  };

const HOST_URL = { github: "https://github.com", gitlab: "https://gitlab.com", gitea: "https://codeberg.org" };

/** Makes a project, and leads straight to it. */
export function NewProjectForm() {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const form = useForm<NewProjectValues>({
    initialValues: { source: "url", name: "", repository: "", codeHostUrl: "", ref: "", credential: NO_CREDENTIAL },
    // In the order of the fields: the first that is wrong gets the focus.
    validate: {
      repository: (repository, { source }) =>
        source !== "empty" && repository.trim() === "" ? "Say which repository." : null,
      credential: (credential, { source }) =>
        codeHostOf(source) !== undefined && !isCredentialComplete(credential) ? "Fill this in." : null,
      name: (name) => (name.trim() === "" ? "Give it a name." : null),
    },
  });
  const create = useMutation({
    mutationFn: (values: NewProjectValues) => docent.projects.create(creationOf(values)),
    async onSuccess(project) {
      client.setQueryData(projectKey(project.id), project);
      await client.invalidateQueries({ queryKey: PROJECTS, exact: true });
      navigate(`/projects/${project.id}`);
    },
    // What was sent holds the token.
    gcTime: 0,
  });
  const { source, repository, credential } = form.values;
  const codeHost = codeHostOf(source);
  const asked = source === "empty" ? undefined : REPOSITORY[source];

  return (
    <form
      onSubmit={form.onSubmit(
        (values) => create.mutate(values),
        (errors) => form.getInputNode(Object.keys(errors)[0] ?? "")?.focus(),
      )}
      noValidate
    >
      <Stack maw="46rem" gap="lg">
        <Radio.Group label="Where is the documentation?" {...form.getInputProps("source")}>
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs" mt="xs">
            {SOURCES.map(({ source: each, label, description }) => (
              <Card
                key={each}
                component="label"
                htmlFor={`source-${each}`}
                className={classes.source}
                withBorder
                padding="sm"
              >
                <Radio id={`source-${each}`} value={each} label={label} description={description} />
              </Card>
            ))}
          </SimpleGrid>
        </Radio.Group>
        {asked !== undefined && (
          <TextInput
            label={asked.label}
            description={asked.description}
            placeholder={asked.example}
            required
            maxLength={4_000}
            spellCheck={false}
            {...form.getInputProps("repository")}
            onChange={({ currentTarget: { value } }) => {
              // Until somebody gives it a name of their own.
              if (form.values.name === nameOf(repository)) form.setFieldValue("name", nameOf(value));
              form.setFieldValue("repository", value);
            }}
          />
        )}
        {codeHost !== undefined && (
          <>
            {!repository.includes("://") && (
              <TextInput
                label="Address of the host"
                description="Where people open it. Needed for a host of your own, when the repository is given without it."
                placeholder={HOST_URL[codeHost]}
                spellCheck={false}
                {...form.getInputProps("codeHostUrl")}
              />
            )}
            <CredentialFields
              codeHost={codeHost}
              values={codeHost !== "github" && credential.kind === "app" ? NO_CREDENTIAL : credential}
              onChange={(values) => form.setFieldValue("credential", values)}
              withServer
            />
            {form.errors["credential"] !== undefined && (
              <Text c="var(--mantine-color-error)" size="sm" role="alert">
                Docent cannot work there without it. Fill in the {credential.kind === "app" ? "App" : "token"}.
              </Text>
            )}
          </>
        )}
        <TextInput
          label="Name"
          description="For people."
          required
          maxLength={200}
          dir="auto"
          {...form.getInputProps("name")}
        />
        {source !== "empty" && (
          <TextInput
            label="Base branch"
            description="Jobs start from it. The repository's default branch when left empty."
            maxLength={255}
            spellCheck={false}
            {...form.getInputProps("ref")}
          />
        )}
        {create.isError && <ErrorNotice error={create.error} />}
        <Group>
          <Button type="submit" loading={create.isPending}>
            Create the project
          </Button>
          <Anchor component={Link} href="/projects">
            Cancel
          </Anchor>
        </Group>
      </Stack>
    </form>
  );
}
