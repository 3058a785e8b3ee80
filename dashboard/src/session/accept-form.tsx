import type { OfferedInvitation } from "@docent/sdk";
import { Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { useLocation } from "wouter";
import { ErrorNotice } from "../components/error-notice.tsx";
import { docent } from "../docent.ts";
import { describeRole } from "../people/roles.ts";
import { SESSION } from "../query-client.ts";
import { PASSWORD_CHARACTERS_MIN, passwordProblem } from "./password.ts";

/** Makes the account that an invitation offers, and signs in. */
export function AcceptForm({ token, offered }: { token: string; offered: OfferedInvitation }) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [name, setName] = useState("");
  const [email, setEmail] = useState(offered.email ?? "");
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const { resetsPassword, role } = offered;
  const accept = useMutation({
    mutationFn: () =>
      docent.invitations.accept({
        token,
        password,
        ...(resetsPassword ? {} : { name: name.trim() }),
        ...(offered.email === null ? { email: email.trim() } : {}),
      }),
    onSuccess(session) {
      // Somebody else may have been signed in here before.
      client.removeQueries({ predicate: ({ queryKey: [first] }) => first !== "invitation" });
      client.setQueryData(SESSION, session);
      navigate("/", { replace: true });
    },
    gcTime: 0,
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const found = passwordProblem(password);
    setProblem(found);
    if (found === null) accept.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text>
          {resetsPassword ? "Your account will be" : "You are invited as"} <b>{role}</b>. {describeRole(role)}
        </Text>
        {accept.isError && <ErrorNotice error={accept.error} />}
        {!resetsPassword && (
          <TextInput
            label="Your name"
            required
            maxLength={200}
            dir="auto"
            autoComplete="name"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        )}
        <TextInput
          label="E-mail"
          type="email"
          required
          maxLength={320}
          autoComplete="username"
          readOnly={offered.email !== null}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          label="Password"
          description={`At least ${PASSWORD_CHARACTERS_MIN} characters. Several words are easier to remember.`}
          required
          maxLength={200}
          autoComplete="new-password"
          error={problem}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" loading={accept.isPending}>
          {resetsPassword ? "Set the password and sign in" : "Make the account"}
        </Button>
      </Stack>
    </form>
  );
}
