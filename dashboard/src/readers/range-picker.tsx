import { Button, Divider, Popover, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconCalendar, IconChevronDown } from "@tabler/icons-react";
import { useState } from "react";
import { addDays, formatRange, PRESETS, type PresetName, type Range } from "./range.ts";

/** Chooses the days of all reports. */
export function RangePicker({
  range,
  today,
  onPreset,
  onOwn,
}: {
  range: Range;
  today: string;
  onPreset: (preset: PresetName) => void;
  /** Told the first and the last day. */
  onOwn: (from: string, last: string) => void;
}) {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const label = PRESETS.find(({ name }) => name === range.preset)?.label ?? formatRange(range);
  return (
    <Popover opened={isOpen} onChange={close} position="bottom-end" trapFocus returnFocus width={280} shadow="md">
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconCalendar size={18} aria-hidden />}
          rightSection={<IconChevronDown size={16} aria-hidden />}
          onClick={toggle}
          aria-haspopup="dialog"
        >
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Days of the reports">
        <Stack gap={4}>
          {PRESETS.map(({ name, label: text }) => (
            <Button
              key={name}
              variant={name === range.preset ? "light" : "subtle"}
              color={name === range.preset ? undefined : "gray"}
              c={name === range.preset ? undefined : "var(--mantine-color-text)"}
              justify="flex-start"
              size="sm"
              aria-pressed={name === range.preset}
              onClick={() => {
                onPreset(name);
                close();
              }}
            >
              {text}
            </Button>
          ))}
        </Stack>
        <Divider my="sm" />
        <OwnRange
          range={range}
          today={today}
          onChoose={(from, last) => {
            onOwn(from, last);
            close();
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

/** The browser's own date fields: they know the person's calendar, language and keyboard. */
function OwnRange({
  range,
  today,
  onChoose,
}: {
  range: Range;
  today: string;
  onChoose: (from: string, last: string) => void;
}) {
  const [from, setFrom] = useState(range.from ?? "");
  const [last, setLast] = useState(addDays(range.to, -1));
  const [fault, setFault] = useState<string | null>(null);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (from === "" || last === "") setFault("Name both days.");
        else if (from > last) setFault("The first day is after the last one.");
        else onChoose(from, last);
      }}
    >
      <Stack gap="xs">
        <Stack gap={6}>
          <TextInput
            type="date"
            label="First day"
            max={today}
            value={from}
            error={fault !== null}
            onChange={({ currentTarget }) => setFrom(currentTarget.value)}
          />
          <TextInput
            type="date"
            label="Last day"
            max={today}
            value={last}
            error={fault !== null}
            onChange={({ currentTarget }) => setLast(currentTarget.value)}
          />
        </Stack>
        {fault !== null && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {fault}
          </Text>
        )}
        <Button type="submit" variant="default" size="sm">
          Show these days
        </Button>
        <Text size="xs" c="dimmed">
          A day is one in UTC.
        </Text>
      </Stack>
    </form>
  );
}
