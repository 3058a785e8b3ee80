import { Button, Group, Modal, Stack } from "@mantine/core";
import type { UseMutationResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ErrorNotice } from "./error-notice.tsx";

/** Asks before something that cannot be taken back. `children` says what follows from it. */
export function ConfirmDialog({
  opened,
  onClose,
  onConfirm,
  title,
  confirm,
  action,
  isReady = true,
  children,
}: {
  opened: boolean;
  onClose(): void;
  onConfirm(): void;
  title: string;
  /** The button's words: what is done. */
  confirm: string;
  /** What is confirmed, when it is a matter of the service. */
  action?: Pick<UseMutationResult<unknown, Error, never>, "isPending" | "error" | "reset">;
  /** False while something that is asked for is missing. */
  isReady?: boolean;
  children: ReactNode;
}) {
  const isPending = action?.isPending === true;
  const close = (): void => {
    // Else why it failed would be read when it is asked for another.
    if (!isPending) action?.reset();
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title={title} centered closeButtonProps={{ "aria-label": "Close" }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && !isPending) onConfirm();
        }}
      >
        <Stack>
          {children}
          {action !== undefined && action.error !== null && <ErrorNotice error={action.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
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
