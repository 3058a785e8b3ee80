import { Button, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconUserPlus } from "@tabler/icons-react";
import { ErrorNotice } from "../components/error-notice.tsx";
import { Loading } from "../components/loading.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { useMay } from "../session/session-context.tsx";
import { InvitationList } from "./invitation-list.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { MemberList } from "./member-list.tsx";
import { useInvitations, useMembers } from "./queries.ts";

export default function MembersPage() {
  const isOwner = useMay("owner");
  return isOwner ? (
    <Members />
  ) : (
    <>
      <PageHeader title="Members" />
      <Text>Only owners see who may sign in. Ask one of them.</Text>
    </>
  );
}

function Members() {
  const members = useMembers();
  const invitations = useInvitations();
  const [isInviting, inviting] = useDisclosure(false);
  return (
    <>
      <PageHeader
        title="Members"
        description="Who may sign in, to all projects, and what each may do."
        actions={
          <Button leftSection={<IconUserPlus size={18} aria-hidden />} onClick={inviting.open}>
            Invite somebody
          </Button>
        }
      />
      {members.isPending && <Loading />}
      {members.isError && members.data === undefined && (
        <ErrorNotice error={members.error} onRetry={() => void members.refetch()} />
      )}
      {members.data !== undefined && <MemberList members={members.data} />}
      {invitations.isError && invitations.data === undefined && (
        <ErrorNotice error={invitations.error} onRetry={() => void invitations.refetch()} />
      )}
      {invitations.data !== undefined && invitations.data.length > 0 && (
        <>
          <Title order={2} size="h4" mt="xl" mb="sm">
            Open invitations
          </Title>
          <InvitationList invitations={invitations.data} />
        </>
      )}
      <InviteDialog opened={isInviting} onClose={inviting.close} />
    </>
  );
}
