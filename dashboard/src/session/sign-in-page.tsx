import { Alert, Button, Divider, Text } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { Redirect, useSearchParams } from "wouter";
import { ErrorNotice } from "../components/error-notice.tsx";
import { Loading } from "../components/loading.tsx";
import { SessionCard } from "./card.tsx";
import { ownPath } from "./own-path.ts";
import { PasswordSignIn } from "./password-sign-in.tsx";
import { useSessionQuery } from "./session-context.tsx";

/** Why the way through the provider did not lead in, by what the service puts into the address. */
const REFUSALS: Readonly<Record<string, string>> = {
  no_role:
    "Your account there belongs to no group that may use Docent. Ask whoever runs Docent to let one of your groups in.",
  no_email: "Your account there gives no e-mail address. Docent needs one to know you by.",
  email_taken:
    "There is an account here with your e-mail address already, and the provider does not vouch that the address is yours. Sign in as before, or ask an owner.",
  refused:
    "The provider, or its answer, was not accepted. Try again; if it stays so, whoever runs Docent finds the reason in its log.",
  unavailable: "The provider does not answer as it should. Try again in a moment.",
  expired: "That took too long, or began in another browser. Try again.",
};

export default function SignInPage() {
  const session = useSessionQuery();
  const [search] = useSearchParams();
  const next = ownPath(search.get("next"));
  if (session.data?.user) return <Redirect to={next} replace />;

  const refused = search.get("refused");
  return (
    <SessionCard title="Sign in">
      {refused !== null && (
        <Alert color="red" variant="light" role="alert" icon={<IconLock aria-hidden />} title="You were not let in">
          {REFUSALS[refused] ?? REFUSALS["refused"]}
        </Alert>
      )}
      {session.isPending && <Loading />}
      {session.isError && session.data === undefined && (
        <ErrorNotice error={session.error} onRetry={() => void session.refetch()} />
      )}
      {session.data !== undefined && (
        <>
          {session.data.oidcSignIn !== null && (
            <Button component="a" href={`/v1/sign-in/oidc?next=${encodeURIComponent(next)}`} size="md">
              Continue with {session.data.oidcSignIn}
            </Button>
          )}
          {session.data.oidcSignIn !== null && session.data.passwordSignIn && <Divider label="or" />}
          {session.data.passwordSignIn && <PasswordSignIn isSecond={session.data.oidcSignIn !== null} />}
          {!session.data.passwordSignIn && session.data.oidcSignIn === null && (
            <Text>Nobody can sign in: passwords are switched off, and no provider is set up.</Text>
          )}
        </>
      )}
    </SessionCard>
  );
}
