/**
 * Text in which no line is a command. GitLab carries out lines like `/merge` (docs.gitlab.com "GitLab quick actions")
 * with the rights of whose text it is, as do bots on other code hosts; and what a model writes can be what a page of
 * the repository told it to. Markdown does not show the backslash.
 */
export function withoutCommands(markdown: string): string {
  return markdown.replaceAll(/^([ \t]*)\/(?=[a-z][\w-]*(?:\s|$))/gim, "$1\\/");
}
