import { Anchor } from "@mantine/core";
import {
  IconArchive,
  IconBrain,
  IconCircleCheck,
  IconCircleX,
  IconGitMerge,
  IconGitPullRequest,
  IconInfoCircle,
  IconChevronRight,
  IconPackage,
  IconUpload,
  type Icon,
} from "@tabler/icons-react";
import { memo, type ReactNode } from "react";
import { Age } from "../../components/age.tsx";
import { AuthorName } from "../author.tsx";
import { PullRequestLink } from "../pull-request-link.tsx";
import { LongText } from "./long-text.tsx";
import { ModelText } from "./model-text.tsx";
import { useOpenRow } from "./open-rows.tsx";
import { ToolCallRow } from "./tool-call-row.tsx";
import type { TranscriptContent, TranscriptItem } from "./transcript.ts";
import classes from "./transcript.module.css";

/** One row of a transcript. */
export const TranscriptRow = memo(function TranscriptRow({ item }: { item: TranscriptItem }) {
  switch (item.kind) {
    case "message":
      return <MessageRow item={item} message={item} />;
    case "text":
      return (
        <>
          <ModelText text={item.text} />
          {item.model !== null && <p className={classes.quietText}>Answered by {item.model}</p>}
        </>
      );
    case "writing":
      return <ModelText text={item.isWhole ? item.text : `… ${item.text}`} />;
    case "tool-call":
      return <ToolCallRow rowKey={item.key} call={item} />;
    case "reasoning":
      return <Folded rowKey={item.key} icon={IconBrain} title="Thought about it" text={item.text} />;
    case "note":
      return <Folded rowKey={item.key} icon={IconInfoCircle} title="Docent to the model" text={item.text} />;
    case "compaction":
      return item.summary === null ? (
        <Line icon={IconPackage}>Shortened old results of tools, so that the conversation fits the model.</Line>
      ) : (
        <Folded
          rowKey={item.key}
          icon={IconPackage}
          title="Summed the conversation up, so that it fits the model"
          text={item.summary}
        />
      );
    case "publish":
      return <PublishRow step={item} />;
    case "turn-end":
      return <TurnEndRow item={item} end={item} />;
    case "archived":
      return (
        <Line icon={IconArchive}>
          Archived <Age at={item.at} />
        </Line>
      );
  }
});

type Content<Kind extends TranscriptContent["kind"]> = Extract<TranscriptContent, { kind: Kind }>;

function MessageRow({ item, message }: { item: TranscriptItem; message: Content<"message"> }) {
  return (
    <div className={classes.message}>
      <div className={classes.sender}>
        <AuthorName author={message.author} />
        <span className={classes.quiet}>
          {message.url === null ? (
            <Age at={item.at} />
          ) : (
            <Anchor href={message.url} inherit underline="always">
              commented <Age at={item.at} />
            </Anchor>
          )}
        </span>
      </div>
      <LongText rowKey={item.key} text={message.text} label="The message" />
    </div>
  );
}

function PublishRow({ step: { state, branch, commit, conflicts } }: { step: Content<"publish"> }) {
  const short = commit.slice(0, 8);
  switch (state) {
    case "started":
      return (
        <Line icon={IconUpload}>
          Publish commit <span className="docent-mono">{short}</span> to <span className="docent-mono">{branch}</span>
        </Line>
      );
    case "moved":
      return (
        <Line icon={IconInfoCircle}>
          Somebody pushed to the branch meanwhile; the changes go on top of <span className="docent-mono">{short}</span>
          {conflicts.length > 0 && `, except those to ${conflicts.join(", ")}, where the same lines were changed`}.
        </Line>
      );
    case "merged":
      return <Line icon={IconGitMerge}>The pull request was merged.</Line>;
    case "closed":
      return <Line icon={IconCircleX}>The pull request was closed without a merge.</Line>;
    case "open":
      return <Line icon={IconGitPullRequest}>The pull request was opened again.</Line>;
    default:
      return <Line icon={IconUpload}>Publish: {state}</Line>;
  }
}

function TurnEndRow({ item, end: { failure, pullRequest } }: { item: TranscriptItem; end: Content<"turn-end"> }) {
  if (failure !== null) {
    return (
      <div className={classes.ending} data-failed>
        <IconCircleX size={20} aria-hidden className={classes.bad} />
        <div>
          <strong>Failed</strong>{" "}
          <span className={classes.quiet}>
            <Age at={item.at} />
          </span>
          <LongText rowKey={item.key} text={failure} label="The reason" />
        </div>
      </div>
    );
  }
  return (
    <div className={classes.ending}>
      <IconCircleCheck size={20} aria-hidden className={classes.good} />
      <div>
        <strong>{pullRequest === null ? "Done: no file had to change" : "Done"}</strong>{" "}
        <span className={classes.quiet}>
          <Age at={item.at} />
        </span>
        {pullRequest !== null && (
          <div>
            <PullRequestLink {...pullRequest}>Pull request #{pullRequest.number}</PullRequestLink>
          </div>
        )}
      </div>
    </div>
  );
}

function Line({ icon: Icon, children }: { icon: Icon; children: ReactNode }) {
  return (
    <div className={classes.line}>
      <Icon size={16} aria-hidden className={classes.quiet} />
      <div className={classes.lineText}>{children}</div>
    </div>
  );
}

function Folded({ rowKey, icon: Icon, title, text }: { rowKey: string; icon: Icon; title: string; text: string }) {
  const [isOpen, toggle] = useOpenRow(rowKey);
  return (
    <div>
      <button type="button" className={classes.call} aria-expanded={isOpen} onClick={toggle}>
        <Icon size={16} aria-hidden className={classes.quiet} />
        <span className={classes.callText}>
          {title} {!isOpen && <span className={classes.outcome}>· {text.trim().split("\n", 1)[0]?.slice(0, 160)}</span>}
        </span>
        <IconChevronRight size={16} aria-hidden className={classes.chevron} data-open={isOpen || undefined} />
      </button>
      {isOpen && (
        <div className={classes.callDetails}>
          <LongText rowKey={`${rowKey} text`} text={text} label={title} />
        </div>
      )}
    </div>
  );
}
