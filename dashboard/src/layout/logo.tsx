import { Group, Text } from "@mantine/core";
import icon from "../icon.svg";

export function Logo() {
  return (
    <Group gap="xs" wrap="nowrap">
      <img src={icon} alt="" width={26} height={26} />
      <Text fw={700} size="lg" component="span" lts="-0.01em">
        Docent
      </Text>
    </Group>
  );
}
