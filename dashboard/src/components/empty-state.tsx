import { Stack, Text, Title } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";

/** What stands where a list is empty: why, and the next step. */
export function EmptyState({ icon: Icon, title, children }: { icon: Icon; title: string; children?: ReactNode }) {
  return (
    <Stack className="docent-card" align="center" gap="xs" px="md" py={48} ta="center">
      <Icon size={40} stroke={1.2} aria-hidden color="var(--mantine-color-dimmed)" />
      <Title order={2} size="h4">
        {title}
      </Title>
      <Text c="dimmed" component="div" maw="34rem">
        {children}
      </Text>
    </Stack>
  );
}
