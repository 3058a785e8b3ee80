import { Group, Text, Title } from "@mantine/core";
import { useRef, type ReactNode } from "react";
import { usePageFocus } from "./page-focus.ts";
import { usePageTitle } from "./page-title.ts";

/** The page's one first heading, a sentence about it, and what can be done on it. */
export function PageHeader({
  title,
  description,
  actions,
}: {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  usePageTitle(title);
  usePageFocus(heading);
  return (
    <Group justify="space-between" align="flex-start" mb="lg" gap="sm">
      <div style={{ minWidth: 0, flex: "1 1 20rem" }}>
        <Title order={1} size="h2" dir="auto" ref={heading} tabIndex={-1}>
          {title}
        </Title>
        {description !== undefined && (
          <Text c="dimmed" component="div" mt={4}>
            {description}
          </Text>
        )}
      </div>
      {actions !== undefined && <Group gap="sm">{actions}</Group>}
    </Group>
  );
}
