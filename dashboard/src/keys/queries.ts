import { useQuery } from "@tanstack/react-query";
import { docent } from "../docent.ts";

export const keysKey = (projectId: string) => ["keys", projectId] as const;

/** The project's keys, newest first. */
export function useKeys(projectId: string) {
  return useQuery({
    queryKey: keysKey(projectId),
    queryFn: ({ signal }) => docent.keys.list(projectId, { signal }),
  });
}
