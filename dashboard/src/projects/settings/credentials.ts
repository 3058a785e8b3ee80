import { useQuery } from "@tanstack/react-query";
import { docent } from "../../docent.ts";

export const credentialsKey = (projectId: string) => ["credentials", projectId] as const;

/** Which credentials the project keeps, and since when; never their values. */
export function useCredentials(projectId: string) {
  return useQuery({
    queryKey: credentialsKey(projectId),
    queryFn: ({ signal }) => docent.credentials.list(projectId, { signal }),
  });
}
