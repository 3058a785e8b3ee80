import type { Invitation } from "@docent/sdk";
import { Badge, Button, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Age } from "../components/age.tsx";
import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { Row, Rows } from "../components/rows.tsx";
import { docent } from "../docent.ts";
import { INVITATIONS } from "./queries.ts";

/** Links that somebody may still follow. */
export function InvitationList({ invitations }: { invitations: readonly Invitation[] }) {
  const client = useQueryClient();
  const [chosen, setChosen] = useState<Invitation | null>(null);
  const revoke = useMutation({
    mutationFn: ({ id }: Invitation) => docent.invitations.revoke(id),
    onSuccess: () => setChosen(null),
    onSettled: () => client.invalidateQueries({ queryKey: INVITATIONS }),
  });
  return (
    <>
      <Rows label="Open invitations">
        {invitations.map((invitation) => (
          <Row
            key={invitation.id}
            title={
              <>
                <Text component="span">{invitation.email ?? "Whoever has the link"}</Text>
                <Badge variant="light" color="gray" tt="none">
                  {invitation.role}
                </Badge>
                {invitation.purpose === "recovery" && (
                  <Badge variant="light" color="yellow" tt="none">
                    recovery
                  </Badge>
                )}
              </>
            }
            facts={
              <>
                <span>
                  by <bdi>{invitation.invitedBy}</bdi>
                </span>
                <span>
                  made <Age at={invitation.createdAt} />
                </span>
                <span>
                  expires <Age at={invitation.expiresAt} />
                </span>
              </>
            }
            actions={
              <Button
                variant="default"
                size="xs"
                aria-label={`Revoke the invitation of ${invitation.email ?? "whoever has the link"}`}
                onClick={() => setChosen(invitation)}
              >
                Revoke
              </Button>
            }
          />
        ))}
      </Rows>
      <ConfirmDialog
        opened={chosen !== null}
        onClose={() => setChosen(null)}
        onConfirm={() => chosen !== null && revoke.mutate(chosen)}
        title="Revoke this invitation?"
        confirm="Revoke"
        action={revoke}
      >
        <Text>Its link stops working at once.</Text>
      </ConfirmDialog>
    </>
  );
}
