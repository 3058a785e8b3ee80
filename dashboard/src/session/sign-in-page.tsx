import { Button, PasswordInput, Stack, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Redirect, useSearchParams } from "wouter";
import { ErrorNotice } from "../components/error-notice.tsx";
import { usePageTitle } from "../components/page-title.ts";
import { docent } from "../docent.ts";
import { Logo } from "../layout/logo.tsx";
import { SESSION } from "../query-client.ts";
import classes from "./session.module.css";
import { useSessionQuery } from "./session-context.tsx";

export function SignInPage() {
  usePageTitle("Sign in");
  const client = useQueryClient();
  const session = useSessionQuery();
  const [search] = useSearchParams();
  const form = useForm({ mode: "uncontrolled", initialValues: { email: "", password: "" } });
  const signIn = useMutation({
    mutationFn: (values: { email: string; password: string }) => docent.session.signIn(values),
    onSuccess: (signedIn) => client.setQueryData(SESSION, signedIn),
  });
  if (session.data?.user) return <Redirect to={ownPath(search.get("next"))} replace />;

  return (
    <main className={classes.page}>
      <form className={`docent-card ${classes.card}`} onSubmit={form.onSubmit((values) => signIn.mutate(values))}>
        <Stack>
          <Logo />
          <Title order={1} size="h3">
            Sign in
          </Title>
          {signIn.isError && <ErrorNotice error={signIn.error} />}
          <TextInput
            label="E-mail"
            type="email"
            autoComplete="username"
            required
            key={form.key("email")}
            {...form.getInputProps("email")}
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            required
            key={form.key("password")}
            {...form.getInputProps("password")}
          />
          <Button type="submit" loading={signIn.isPending}>
            Sign in
          </Button>
        </Stack>
      </form>
    </main>
  );
}

/** Where to go on after the sign-in: a path of this site, never where a crafted link points. */
function ownPath(next: string | null): string {
  if (next === null || !next.startsWith("/")) return "/";
  const url = new URL(next, location.origin);
  return url.origin === location.origin ? url.pathname + url.search + url.hash : "/";
}
