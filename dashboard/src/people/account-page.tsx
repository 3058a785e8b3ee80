import { Stack, Text, Title } from "@mantine/core";
import { ErrorNotice } from "../components/error-notice.tsx";
import { Loading } from "../components/loading.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { useUser } from "../session/session-context.tsx";
import { NameForm } from "./name-form.tsx";
import { PasswordForm } from "./password-form.tsx";
import { useAccount } from "./queries.ts";
import { describeRole } from "./roles.ts";
import { SessionList } from "./session-list.tsx";

export default function AccountPage() {
  const { email, role } = useUser();
  const account = useAccount();
  return (
    <>
      <PageHeader title="Account" description={`${email} · ${role}. ${describeRole(role)}`} />
      {account.isPending && <Loading />}
      {account.isError && account.data === undefined && (
        <ErrorNotice error={account.error} onRetry={() => void account.refetch()} />
      )}
      {account.data !== undefined && (
        <Stack gap="xl" maw="46rem">
          <section>
            <Title order={2} size="h4" mb="sm">
              Name
            </Title>
            <NameForm name={account.data.name} />
          </section>
          <section>
            <Title order={2} size="h4" mb="sm">
              Password
            </Title>
            {account.data.hasPassword ? (
              <PasswordForm email={email} />
            ) : (
              <Text>You sign in at your organisation's provider, and have no password here.</Text>
            )}
          </section>
          <section>
            <Title order={2} size="h4" mb="sm">
              Where you are signed in
            </Title>
            <SessionList />
          </section>
        </Stack>
      )}
    </>
  );
}
