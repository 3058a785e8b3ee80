import { createDocent } from "@docent/sdk";
import { connection } from "./connection.ts";

/** The service that this page comes from, as whoever is signed in. */
export const docent = createDocent({ baseUrl: location.origin, session: true, fetch: connection.fetch });
