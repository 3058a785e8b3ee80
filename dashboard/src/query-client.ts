import { DocentError } from "@docent/sdk";
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { connection } from "./connection.ts";

/** Set in the cache when the session has ended, so that the page asks to sign in. */
export const SESSION = ["session"] as const;

/** What the service knows, kept while it is shown. Nothing is tried again that would only be refused again. */
export function createQueryClient(): QueryClient {
  const onError = (error: Error): void => {
    if (error instanceof DocentError && error.status === 401) void client.invalidateQueries({ queryKey: SESSION });
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 1_000,
        networkMode: "always",
        retry: (failures, error) => error instanceof DocentError && error.status >= 500 && failures < 3,
      },
      mutations: { networkMode: "always" },
    },
  });
  let wasUp = true;
  connection.subscribe(() => {
    const isUp = connection.isUp();
    if (isUp && !wasUp) void client.invalidateQueries();
    wasUp = isUp;
  });
  return client;
}
