/** An answer of the emulator. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

/** An answer of GitHub's own, in its form. */
export function refusal(
  status: number,
  message: string,
  headers: Record<string, string> = {},
  rest: object = {},
): Answer {
  const body = { documentation_url: "https://docs.github.com/rest", status: String(status), ...rest, message };
  return { status, headers: new Headers(headers), text: JSON.stringify(body) };
}

/** The emulator has words of its own, and nothing for people without any role. */
export function asGitHubSaysPermission(answer: Answer, path: string, accounts: readonly string[]): Answer {
  const login = decodeURIComponent(/collaborators\/([^/]+)/.exec(path)?.[1] ?? "");
  if (answer.status === 404) {
    if (!accounts.includes(login)) return refusal(404, `${login} is not a user`);
    return { ...answer, status: 200, text: JSON.stringify({ permission: "none", role_name: "none", user: null }) };
  }
  const words: Record<string, string> = { push: "write", maintain: "write", triage: "read", pull: "read" };
  const body = JSON.parse(answer.text) as { permission: string };
  return { ...answer, text: JSON.stringify({ ...body, permission: words[body.permission] ?? body.permission }) };
}

/** GitHub tells which App wrote a comment. */
export function withApp(answer: Answer, app: { id: number; login: string }): Answer {
  if (answer.status >= 300) return answer;
  type Comment = { user: { login: string } };
  const mark = (comment: Comment) => ({
    ...comment,
    performed_via_github_app: comment.user.login === app.login ? { id: app.id } : null,
  });
  const body = JSON.parse(answer.text) as Comment | Comment[];
  return { ...answer, text: JSON.stringify(Array.isArray(body) ? body.map(mark) : mark(body)) };
}
