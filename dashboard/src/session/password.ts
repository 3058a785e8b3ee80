export const PASSWORD_CHARACTERS_MIN = 12;

/** What is wrong with a new password, before the service is asked; null when nothing is. */
export function passwordProblem(password: string): string | null {
  return password.length < PASSWORD_CHARACTERS_MIN ? `Give it at least ${PASSWORD_CHARACTERS_MIN} characters.` : null;
}
