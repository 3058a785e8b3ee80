import { Tooltip } from "@mantine/core";

/** Who asked for something: a person, an API key, the administrator's token, or somebody who commented. */
export function AuthorName({ author }: { author: { type: string; name: string } | null | undefined }) {
  if (author === null || author === undefined) return <span>Somebody</span>;
  switch (author.type) {
    case "user":
      return <bdi>{author.name}</bdi>;
    case "key":
      return (
        <Tooltip label="Through an API key">
          <span>
            key <bdi>{author.name}</bdi>
          </span>
        </Tooltip>
      );
    case "comment":
      return (
        <Tooltip label="With a comment on the pull request">
          <bdi>@{author.name}</bdi>
        </Tooltip>
      );
    default:
      return <span>the administrator</span>;
  }
}
