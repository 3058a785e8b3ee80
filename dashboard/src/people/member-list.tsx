import type { Member } from "@docent/sdk";
import { Badge, Button, NativeSelect, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Age } from "../components/age.tsx";
import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { ErrorNotice } from "../components/error-notice.tsx";
import { Row, Rows } from "../components/rows.tsx";
import { docent } from "../docent.ts";
import { SESSION } from "../query-client.ts";
import { useUser } from "../session/session-context.tsx";
import { MEMBERS } from "./queries.ts";
import { describeRole, ROLES } from "./roles.ts";

/** What was chosen of a member and waits to be confirmed. */
type Asked = { member: Member; role: Member["role"] } | { member: Member; role: null };

/** Everybody who may sign in. A change of role holds at once; of one's own, and a removal, it is asked first. */
export function MemberList({ members }: { members: readonly Member[] }) {
  const user = useUser();
  const client = useQueryClient();
  const [asked, setAsked] = useState<Asked | null>(null);
  const change = useMutation({
    mutationFn: async ({ member, role }: Asked) => {
      if (role === null) await docent.members.remove(member.id);
      else await docent.members.changeRole(member.id, role);
    },
    async onSuccess(_answer, { member, role }) {
      setAsked(null);
      notifications.show({
        message: role === null ? `${member.name} may not sign in any more.` : `${member.name} is ${role} now.`,
      });
      if (member.id === user.id) await client.invalidateQueries({ queryKey: SESSION });
    },
    onSettled: () => client.invalidateQueries({ queryKey: MEMBERS }),
  });
  const ask = (wanted: Asked): void => {
    change.reset();
    setAsked(wanted);
  };
  return (
    <>
      {change.isError && asked === null && <ErrorNotice error={change.error} />}
      <Rows label="Members">
        {members.map((member) => (
          <Row
            key={member.id}
            title={
              <>
                <Text fw={600} dir="auto" component="span">
                  {member.name}
                </Text>
                {member.id === user.id && (
                  <Badge variant="light" color="gray" tt="none">
                    you
                  </Badge>
                )}
              </>
            }
            facts={<Facts member={member} />}
            actions={
              <>
                <NativeSelect
                  aria-label={`Role of ${member.name}`}
                  data={ROLES.map(({ role, label }) => ({ value: role, label }))}
                  value={member.role}
                  disabled={member.hasOidc || change.isPending}
                  onChange={(event) => {
                    const role = event.currentTarget.value as Member["role"];
                    if (member.id === user.id) ask({ member, role });
                    else change.mutate({ member, role });
                  }}
                />
                <Button
                  variant="default"
                  size="sm"
                  aria-label={`Remove ${member.name}`}
                  onClick={() => ask({ member, role: null })}
                >
                  Remove
                </Button>
              </>
            }
          />
        ))}
      </Rows>
      <ConfirmDialog
        opened={asked !== null}
        onClose={() => setAsked(null)}
        onConfirm={() => asked !== null && change.mutate(asked)}
        title={asked?.role === null ? "Remove this member?" : "Change your own role?"}
        confirm={asked?.role === null ? "Remove" : "Change my role"}
        action={change}
      >
        {asked !== null && <Consequence asked={asked} isSelf={asked.member.id === user.id} />}
      </ConfirmDialog>
    </>
  );
}

function Facts({ member: { email, role, lastSeenAt, hasOidc } }: { member: Member }) {
  return (
    <>
      <span>{email}</span>
      <span>{lastSeenAt === null ? "not signed in" : <>last seen {<Age at={lastSeenAt} />}</>}</span>
      <span>{hasOidc ? "role follows the groups at the provider" : describeRole(role)}</span>
    </>
  );
}

function Consequence({ asked: { member, role }, isSelf }: { asked: Asked; isSelf: boolean }) {
  if (role !== null) {
    return <Text>You will be {role}, and only another owner can make you an owner again.</Text>;
  }
  return (
    <Text>
      <bdi>{member.name}</bdi> ({member.email}) is signed out everywhere at once and cannot sign in any more.
      {isSelf && " This is you."} Keys that they made go on working.{" "}
      {member.hasOidc && "If the groups at the provider still let them in, they come back with their next sign-in."}
    </Text>
  );
}
