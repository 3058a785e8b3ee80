import { Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { ErrorNotice } from "../components/error-notice.tsx";
import { docent } from "../docent.ts";
import { SESSION } from "../query-client.ts";

export function PasswordSignIn({ isSecond }: { isSecond: boolean }) {
  const client = useQueryClient();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const signIn = useMutation({
    mutationFn: () => docent.session.signIn({ email, password }),
    onSuccess: (signedIn) => client.setQueryData(SESSION, signedIn),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    signIn.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {signIn.isError && <ErrorNotice error={signIn.error} />}
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="username"
          required
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" variant={isSecond ? "default" : "filled"} loading={signIn.isPending}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}
