import { Anchor, Text } from "@mantine/core";
import { Link } from "wouter";
import { PageHeader } from "./page-header.tsx";

export function NotFound() {
  return (
    <>
      <PageHeader title="There is no such page" />
      <Text>
        Check the address, or go to{" "}
        <Anchor component={Link} href="~/projects" underline="always">
          the projects
        </Anchor>
        .
      </Text>
    </>
  );
}
