import { Button, Group, Modal, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { ErrorNotice } from "./error-notice.tsx";

/** Asks before something that cannot be taken back. `children` says what follows from it. */
export function ConfirmDialog({
  opened,
  onClose,
  onConfirm,
  title,
  confirm,
  isPending = false,
  isReady = true,
  error = null,
  children,
}: {
  opened: boolean;
  onClose(): void;
  onConfirm(): void;
  title: string;
  /** The button's words: what is done. */
  confirm: string;
  isPending?: boolean;
  /** False while something that is asked for is missing. */
  isReady?: boolean;
  error?: Error | null;
  children: ReactNode;
}) {
  return (
    <Modal opened={opened} onClose={onClose} title={title} centered closeButtonProps={{ "aria-label": "Close" }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && !isPending) onConfirm();
        }}
      >
        <Stack>
          {children}
          {error !== null && <ErrorNotice error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color="red.8" loading={isPending} disabled={!isReady}>
              {confirm}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
