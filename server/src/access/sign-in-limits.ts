import { createHash, randomBytes } from "node:crypto";
import type { LimitAnswer, Limits } from "./limits.ts";
import type { Secret } from "./secret.ts";

export interface SignInLimits {
  /**
   * Counts an attempt as failed before it is made, so that many at once count as well; `takeBack` undoes that.
   * @param device what `rememberDevice` gave this browser.
   */
  take(attempt: { address: string; email: string; device: string | undefined }): Promise<SignInAttempt>;
  /** A token for a browser that has signed in as this person: from then on it has a limit of its own. */
  rememberDevice(email: string): string;
}

export interface SignInAttempt {
  limit: LimitAnswer | undefined;
  /** For one that was right, or was not made after all. */
  takeBack(): Promise<void>;
}

export const DEVICE_DAYS = 180;
const FAILURES_PER_ADDRESS_AND_HOUR = 60;
const FAILURES_PER_EMAIL_AND_HOUR = 20;

/**
 * Limits how often somebody may be wrong: from one address, and about one e-mail address from wherever. Whoever is wrong on
 * purpose about somebody else's uses up the limit for browsers that are new to that account; those that have signed
 * in before go on, also from an address that they share with whoever is wrong (OWASP, "Slow Down Online Guessing Attacks
 * with Device Cookies").
 */
export function createSignInLimits({
  limits,
  secret,
  clock,
}: {
  limits: Limits;
  secret: Pick<Secret, "mint" | "verify">;
  clock: () => Date;
}): SignInLimits {
  function knownDevice(email: string, token: string | undefined): string | undefined {
    const [use, owner, device] = (token === undefined ? undefined : secret.verify(token, clock()))?.split(" ") ?? [];
    return use === "device" && owner === hash(email) ? device : undefined;
  }

  return {
    async take({ address, email, device }) {
      const known = knownDevice(email, device);
      const taken: string[] = [];
      const takeOne = async (subject: string, max: number): Promise<LimitAnswer | undefined> => {
        const limit = await limits.take(subject, max);
        if (limit?.allowed === true) taken.push(subject);
        return limit;
      };
      const takeBack = async (): Promise<void> => {
        for (const subject of taken) await limits.giveBack(subject);
      };
      if (known !== undefined) {
        return { limit: await takeOne(`sign-in device ${known}`, FAILURES_PER_EMAIL_AND_HOUR), takeBack };
      }
      const ofAddress = await takeOne(`sign-in address ${address}`, FAILURES_PER_ADDRESS_AND_HOUR);
      if (ofAddress?.allowed === false) return { limit: ofAddress, takeBack };
      return { limit: await takeOne(`sign-in e-mail ${hash(email)}`, FAILURES_PER_EMAIL_AND_HOUR), takeBack };
    },

    rememberDevice(email) {
      const expiresAt = new Date(clock().getTime() + DEVICE_DAYS * 86_400_000);
      return secret.mint(`device ${hash(email)} ${randomBytes(12).toString("base64url")}`, expiresAt);
    },
  };
}

function hash(email: string): string {
  return createHash("sha256").update(email.toLowerCase()).digest("base64url");
}
