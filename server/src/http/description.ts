import { createHttpServer } from "./http.ts";

/**
 * The OpenAPI description of the HTTP API, read off the routes. Nothing is served and nothing is called: what the
 * handlers would work with is left out.
 */
export async function describeApi(): Promise<object> {
  const unused = (): never => {
    throw new Error("The routes are only described here.");
  };
  const app = await createHttpServer({
    jobs: { create: unused, get: unused, list: unused, message: unused, archive: unused, events: unused },
    projects: {
      create: unused,
      get: unused,
      list: unused,
      update: unused,
      delete: unused,
      resumeImports: unused,
      close: unused,
    },
    keys: { issue: unused, list: unused, revoke: unused, authenticate: unused },
    authorization: {
      requireKey: unused,
      requireKeyOrAdministrator: unused,
      requireAdministrator: unused,
      authenticateKey: unused,
    },
    limits: { take: unused },
    createsPerHour: 0,
    messagesPerHour: 0,
    trustedProxies: [],
    clock: unused,
    log: unused,
    health: unused,
    plugins: [],
  });
  await app.ready();
  const description = app.swagger();
  await app.close();
  return description;
}
