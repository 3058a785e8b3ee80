import { Text } from "@mantine/core";
import { IconArrowDownRight, IconArrowUpRight } from "@tabler/icons-react";
import { formatChange, formatCount } from "./numbers.ts";

/** More is not better than less, so neither has a colour of its own. */
export function Change({ now, before }: { now: number; before: number }) {
  const Icon = now > before ? IconArrowUpRight : now < before ? IconArrowDownRight : null;
  return (
    <Text span size="sm" title={`${formatCount(before)} before`} style={{ whiteSpace: "nowrap" }}>
      {Icon !== null && <Icon size={15} aria-hidden style={{ verticalAlign: "-2px", marginInlineEnd: 2 }} />}
      {formatChange(now, before)}
    </Text>
  );
}
