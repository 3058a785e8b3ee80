import { Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./settings.module.css";

/** Something within a section that is done at once rather than saved with the page. */
export function Part({
  title,
  description,
  children,
}: {
  title: string;
  description?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className={`docent-card ${classes.part}`}>
      <Stack gap="sm">
        <div>
          <Title order={3} size="h5">
            {title}
          </Title>
          {description !== undefined && (
            <Text size="sm" c="dimmed" component="div">
              {description}
            </Text>
          )}
        </div>
        {children}
      </Stack>
    </div>
  );
}
