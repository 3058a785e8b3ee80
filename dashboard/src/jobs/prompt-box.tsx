import { Button, Text, Textarea } from "@mantine/core";
import { IconSend2 } from "@tabler/icons-react";
import type { KeyboardEvent } from "react";
import classes from "./jobs.module.css";

const CHARACTERS_MAX = 100_000;
/** From here on it is said how many are left. */
const CHARACTERS_NEAR = 90_000;

const count = new Intl.NumberFormat("en");
const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Where somebody writes to the agent: grows with the text, and sends it with Ctrl or Cmd and Enter. */
export function PromptBox({
  label,
  placeholder,
  text,
  onChange,
  onSend,
  sendLabel,
  isSending,
  rows,
  isCompact = false,
}: {
  label: string;
  placeholder?: string;
  text: string;
  onChange: (text: string) => void;
  onSend: () => void;
  sendLabel: string;
  isSending: boolean;
  rows: { min: number; max: number };
  /** The button stands beside the text instead of below it. */
  isCompact?: boolean;
}) {
  const length = text.length < CHARACTERS_NEAR ? text.length : characters(text);
  const isTooLong = length > CHARACTERS_MAX;
  const maySend = text.trim() !== "" && !isTooLong && !isSending;

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey)) return;
    event.preventDefault();
    if (maySend) onSend();
  }

  return (
    <div className={classes.prompt} data-compact={isCompact || undefined}>
      <Textarea
        className={classes.promptText}
        aria-label={label}
        placeholder={placeholder}
        autosize
        minRows={rows.min}
        maxRows={rows.max}
        dir="auto"
        value={text}
        error={isTooLong && describeExcess(length - CHARACTERS_MAX)}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {length >= CHARACTERS_NEAR && !isTooLong && (
        <Text size="sm" c="dimmed" mr="auto">
          {count.format(length)} of {count.format(CHARACTERS_MAX)} characters
        </Text>
      )}
      <Button
        className={classes.promptButton}
        onClick={onSend}
        disabled={!maySend && !isSending}
        loading={isSending}
        leftSection={<IconSend2 size={18} aria-hidden />}
        aria-keyshortcuts={IS_APPLE ? "Meta+Enter" : "Control+Enter"}
        title={IS_APPLE ? "⌘ Enter" : "Ctrl Enter"}
      >
        {sendLabel}
      </Button>
    </div>
  );
}

function describeExcess(excess: number): string {
  return `This is ${count.format(excess)} ${excess === 1 ? "character" : "characters"} too long.`;
}

/** The service counts code points. */
function characters(text: string): number {
  let length = 0;
  for (let index = 0; index < text.length; length++) index += (text.codePointAt(index) ?? 0) > 0xff_ff ? 2 : 1;
  return length;
}
