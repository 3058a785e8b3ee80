import { useQuery } from "@tanstack/react-query";
import { docent } from "../docent.ts";

export const MEMBERS = ["members"] as const;
export const INVITATIONS = ["invitations"] as const;
export const ACCOUNT = ["account"] as const;
export const SESSIONS = ["account", "sessions"] as const;

export function useMembers() {
  return useQuery({ queryKey: MEMBERS, queryFn: ({ signal }) => docent.members.list({ signal }) });
}

/** The links that can still be accepted. */
export function useInvitations() {
  return useQuery({ queryKey: INVITATIONS, queryFn: ({ signal }) => docent.invitations.list({ signal }) });
}

export function useAccount() {
  return useQuery({ queryKey: ACCOUNT, queryFn: ({ signal }) => docent.account.get({ signal }) });
}

/** Where the person is signed in. */
export function useSessions() {
  return useQuery({ queryKey: SESSIONS, queryFn: ({ signal }) => docent.account.listSessions({ signal }) });
}
