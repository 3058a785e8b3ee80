import type { AuditEntry } from "@docent/sdk";
import type { ReactNode } from "react";

/** What was done, as what follows the name of who did it: "made the key Pipeline (write)". */
export function AuditSentence({ entry }: { entry: AuditEntry }): ReactNode {
  const { action, details } = entry;
  const subject = <b dir="auto">{entry.subject?.name ?? "something"}</b>;
  switch (action) {
    case "project.created":
      return <>created the project {subject}</>;
    case "project.changed":
      return (
        <>
          changed {details["changes"] ?? "settings"} of the project {subject}
        </>
      );
    case "project.deleted":
      return <>deleted the project {subject}</>;
    case "key.created":
      return (
        <>
          made the key {subject} ({details["scope"]})
        </>
      );
    case "key.revoked":
      return <>revoked the key {subject}</>;
    case "credential.stored":
      return <>stored the credential {subject}</>;
    case "credential.removed":
      return <>removed the credential {subject}</>;
    case "member.invited":
      return (
        <>
          invited {subject} as {details["role"]}
        </>
      );
    case "member.joined":
      return (
        <>
          joined as {details["role"]} ({subject}){details["from"] !== undefined && `, by ${details["from"]}`}
        </>
      );
    case "member.role_changed":
      return (
        <>
          made {subject}, who was {details["from"]}, {details["to"]}
        </>
      );
    case "member.removed":
      return <>removed the member {subject}</>;
    case "invitation.revoked":
      return <>revoked the invitation of {subject}</>;
    case "password.changed":
      return <>changed their password</>;
    case "recovery.started":
      return <>made a recovery link for {subject}</>;
    case "recovery.completed":
      return <>came back as an owner by a recovery link ({subject})</>;
  }
}
