import { Group, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
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
  usePageTitle(title);
  return (
    <Group justify="space-between" align="flex-start" mb="lg" gap="sm">
      <div style={{ minWidth: 0, flex: "1 1 20rem" }}>
        <Title order={1} size="h2" dir="auto">
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
