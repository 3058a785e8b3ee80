import type { OpenSession } from "@docent/sdk";
import { Badge, Button, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Age } from "../components/age.tsx";
import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { ErrorNotice } from "../components/error-notice.tsx";
import { Loading } from "../components/loading.tsx";
import { Row, Rows } from "../components/rows.tsx";
import { docent } from "../docent.ts";
import { browserName } from "./browser-name.ts";
import { SESSIONS, useSessions } from "./queries.ts";

/** The browsers in which the person is signed in, each to be ended, or all. */
export function SessionList() {
  const client = useQueryClient();
  const sessions = useSessions();
  const [isAsked, setAsked] = useState(false);
  const end = useMutation({
    mutationFn: ({ id }: OpenSession) => docent.account.endSession(id),
    onSettled: () => client.invalidateQueries({ queryKey: SESSIONS }),
  });
  const endAll = useMutation({
    mutationFn: () => docent.account.endSessions(),
    // Nothing that this person was shown stays in memory.
    onSuccess: () => location.assign("/sign-in"),
  });
  if (sessions.data === undefined) {
    return sessions.isError ? (
      <ErrorNotice error={sessions.error} onRetry={() => void sessions.refetch()} />
    ) : (
      <Loading />
    );
  }
  return (
    <Stack>
      {end.isError && <ErrorNotice error={end.error} />}
      <Rows label="Sessions">
        {sessions.data.map((session) => (
          <Row
            key={session.id}
            title={
              <>
                <Text component="span">{browserName(session.userAgent)}</Text>
                {session.isCurrent && (
                  <Badge variant="light" color="green" tt="none">
                    this one
                  </Badge>
                )}
              </>
            }
            facts={
              <>
                {session.address !== null && <span>{session.address}</span>}
                <span>
                  last seen <Age at={session.lastSeenAt} />
                </span>
                <span>
                  signed in <Age at={session.createdAt} />
                </span>
              </>
            }
            actions={
              !session.isCurrent && (
                <Button
                  variant="default"
                  size="xs"
                  aria-label={`Sign out ${browserName(session.userAgent)}`}
                  loading={end.isPending && end.variables.id === session.id}
                  onClick={() => end.mutate(session)}
                >
                  Sign out
                </Button>
              )
            }
          />
        ))}
      </Rows>
      <div>
        <Button variant="default" onClick={() => setAsked(true)}>
          Sign out everywhere
        </Button>
      </div>
      <ConfirmDialog
        opened={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={() => endAll.mutate()}
        title="Sign out everywhere?"
        confirm="Sign out everywhere"
        action={endAll}
      >
        <Text>Every browser that you are signed in with has to sign in again, this one too.</Text>
      </ConfirmDialog>
    </Stack>
  );
}
