import type { Docent, Project } from "@docent/sdk";
import { NativeSelect, NumberInput, PasswordInput, Stack, Text, Textarea } from "@mantine/core";

type Credential = NonNullable<Parameters<Docent["projects"]["create"]>[0]["credential"]>;

export interface CredentialValues {
  kind: "server" | "token" | "app";
  token: string;
  appId: number | string;
  installationId: number | string;
  privateKey: string;
}

export const NO_CREDENTIAL: CredentialValues = {
  kind: "token",
  token: "",
  appId: "",
  installationId: "",
  privateKey: "",
};

const WHERE: Readonly<Record<Exclude<Project["codeHost"], "builtin">, string>> = {
  github: "A fine-grained token with Contents and Pull requests: read and write; or a classic one with repo.",
  gitlab: "A project, group or personal access token with the scope api and at least the role Developer.",
  gitea: "A token with the scopes write:repository, write:issue and read:user, of a user who may push.",
};

/** What the filled-in fields stand for; undefined for the server's own credential. */
export function credentialOf({
  kind,
  token,
  appId,
  installationId,
  privateKey,
}: CredentialValues): Credential | undefined {
  if (kind === "server") return undefined;
  if (kind === "token") return { token: token.trim() };
  return {
    githubApp: {
      appId: Number(appId),
      privateKey,
      ...(installationId === "" ? {} : { installationId: Number(installationId) }),
    },
  };
}

export function isCredentialComplete({ kind, token, appId, privateKey }: CredentialValues): boolean {
  if (kind === "token") return token.trim() !== "";
  return kind === "server" || (appId !== "" && privateKey.trim() !== "");
}

/** Asks for what a code host accepts. */
export function CredentialFields({
  codeHost,
  values,
  onChange,
  withServer,
}: {
  codeHost: Exclude<Project["codeHost"], "builtin">;
  values: CredentialValues;
  onChange(values: CredentialValues): void;
  /** The server's own credential may be chosen. */
  withServer: boolean;
}) {
  const kinds = [
    { value: "token", label: "A token" },
    ...(codeHost === "github" ? [{ value: "app", label: "A GitHub App" }] : []),
    ...(withServer ? [{ value: "server", label: "The server's own credential" }] : []),
  ];
  const set = (changed: Partial<CredentialValues>): void => onChange({ ...values, ...changed });
  return (
    <Stack gap="sm">
      {kinds.length > 1 && (
        <NativeSelect
          label="Docent signs in with"
          data={kinds}
          value={values.kind}
          onChange={(event) => set({ kind: event.currentTarget.value as CredentialValues["kind"] })}
        />
      )}
      {values.kind === "server" && (
        <Text size="sm" c="dimmed">
          Whoever runs the server has to have set one for this host in its environment.
        </Text>
      )}
      {values.kind === "token" && (
        <PasswordInput
          label="Token"
          description={WHERE[codeHost]}
          required
          autoComplete="off"
          maxLength={20_000}
          value={values.token}
          onChange={(event) => set({ token: event.currentTarget.value })}
        />
      )}
      {values.kind === "app" && (
        <>
          <NumberInput
            label="App id"
            required
            min={1}
            allowDecimal={false}
            hideControls
            value={values.appId}
            onChange={(appId) => set({ appId })}
          />
          <NumberInput
            label="Installation id"
            description="Found by the repository when left empty."
            min={1}
            allowDecimal={false}
            hideControls
            value={values.installationId}
            onChange={(installationId) => set({ installationId })}
          />
          <Textarea
            label="Private key"
            description="The PEM file that GitHub gave."
            placeholder="-----BEGIN RSA PRIVATE KEY-----"
            required
            autosize
            minRows={3}
            maxRows={8}
            maxLength={20_000}
            value={values.privateKey}
            onChange={(event) => set({ privateKey: event.currentTarget.value })}
          />
        </>
      )}
      {values.kind !== "server" && (
        <Text size="sm" c="dimmed">
          It is stored encrypted and never shown again.
        </Text>
      )}
    </Stack>
  );
}
