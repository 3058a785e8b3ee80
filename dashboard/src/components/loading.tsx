import { Center, Loader } from "@mantine/core";

export function Loading() {
  return (
    <Center py="xl" role="status">
      <Loader aria-label="Loading" />
    </Center>
  );
}
