import { DocentError } from "@docent/sdk";
import { Anchor, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link } from "wouter";
import { ErrorNotice } from "../components/error-notice.tsx";
import { Loading } from "../components/loading.tsx";
import { docent } from "../docent.ts";
import { AcceptForm } from "./accept-form.tsx";
import { SessionCard } from "./card.tsx";

/** Where an invitation's link leads: somebody makes an account, or gives theirs a new password. */
export default function InvitationPage() {
  const token = useToken();
  const offered = useQuery({
    queryKey: ["invitation", token],
    queryFn: ({ signal }) => docent.invitations.lookUp(token, { signal }),
    enabled: token !== "",
    retry: false,
    // It would vanish under the hands of whoever is filling in the form.
    refetchOnWindowFocus: false,
    staleTime: Infinity,
  });
  const isGone =
    token === "" || (offered.error instanceof DocentError && offered.error.status < 429 && offered.error.status >= 400);
  if (isGone) return <Gone />;
  if (offered.data === undefined) {
    return (
      <SessionCard title="Invitation">
        {offered.isError ? <ErrorNotice error={offered.error} onRetry={() => void offered.refetch()} /> : <Loading />}
      </SessionCard>
    );
  }
  return (
    <SessionCard title={offered.data.resetsPassword ? "Set a new password" : "Make your account"}>
      <AcceptForm token={token} offered={offered.data} />
    </SessionCard>
  );
}

function Gone() {
  return (
    <SessionCard title="This link does not work any more">
      <Text>
        It was used, revoked or has expired, or is not whole. Ask an owner for a new one. The link for the first owner
        is printed where the service starts, each time, until there is one.
      </Text>
      <Anchor component={Link} href="/sign-in">
        Sign in
      </Anchor>
    </SessionCard>
  );
}

/** What follows the `#` of the address, also when another link is opened in the same tab. */
function useToken(): string {
  const [token, setToken] = useState(() => location.hash.slice(1));
  useEffect(() => {
    const read = (): void => setToken(location.hash.slice(1));
    window.addEventListener("hashchange", read);
    return () => window.removeEventListener("hashchange", read);
  }, []);
  return token;
}
