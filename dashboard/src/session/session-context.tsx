import type { User } from "@docent/sdk";
import { useQuery } from "@tanstack/react-query";
import { createContext, useContext, type ReactNode } from "react";
import { Redirect, useLocation } from "wouter";
import { ErrorNotice } from "../components/error-notice.tsx";
import { Loading } from "../components/loading.tsx";
import { docent } from "../docent.ts";
import { SESSION } from "../query-client.ts";

const SignedInUser = createContext<User | null>(null);

const ROLES: readonly User["role"][] = ["viewer", "editor", "owner"];

export function useSessionQuery() {
  return useQuery({ queryKey: SESSION, queryFn: ({ signal }) => docent.session.get({ signal }), staleTime: 60_000 });
}

/** Shows its children to somebody who is signed in; everybody else is led to the sign-in, and back from there. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const session = useSessionQuery();
  const [location] = useLocation();
  if (session.data === undefined) {
    return session.isError ? <ErrorNotice error={session.error} onRetry={() => void session.refetch()} /> : <Loading />;
  }
  const { user } = session.data;
  if (user === null) {
    const next = location === "/" ? "" : `?next=${encodeURIComponent(location + window.location.search)}`;
    return <Redirect to={`/sign-in${next}`} replace />;
  }
  return <SignedInUser value={user}>{children}</SignedInUser>;
}

/** Who is signed in. */
export function useUser(): User {
  const user = useContext(SignedInUser);
  if (user === null) throw new Error("Nobody is signed in here.");
  return user;
}

/** Whether the person has this role or a higher one. The service decides again; this is for what is shown. */
export function useMay(role: User["role"]): boolean {
  return ROLES.indexOf(useUser().role) >= ROLES.indexOf(role);
}
