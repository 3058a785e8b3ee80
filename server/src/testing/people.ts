import { createPeople } from "../access/people.ts";
import type { Role } from "../database/schema.ts";
import { openPage, type TestPage } from "./page.ts";
import type { TestService } from "./service.ts";

export const PASSWORD = "a password of the tests";

/** Makes a person who can sign in with PASSWORD. */
export async function addPerson({ database, url }: TestService, email: string, role: Role): Promise<string> {
  const people = createPeople({
    database: database.database,
    secret: "of no use: only passwords are made with it",
    publicUrl: url,
    clock: () => new Date(),
    log: { warn: () => {} },
  });
  const made = await people.create({ name: `Test ${role}`, email, role, password: PASSWORD });
  if ("refused" in made) throw new Error(`${email} is taken.`);
  return made.id;
}

/** A browser that has just signed in. */
export async function signIn({ url }: TestService, email: string): Promise<TestPage> {
  const page = openPage(url);
  const { status, body } = await page.request("POST", "/v1/session", { email, password: PASSWORD });
  if (status !== 200) throw new Error(`The sign-in answered ${status}: ${JSON.stringify(body)}`);
  return page;
}
