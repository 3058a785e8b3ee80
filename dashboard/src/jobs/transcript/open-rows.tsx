import { createContext, useCallback, useContext, useMemo, useState, type ReactNode } from "react";

interface OpenRows {
  isOpen(key: string): boolean;
  toggle(key: string): void;
}

const Rows = createContext<OpenRows>({ isOpen: () => false, toggle: () => {} });

/** Remembers what the reader unfolded, also while the row is out of sight and not in the page. */
export function OpenRowsProvider({ onToggle, children }: { onToggle: () => void; children: ReactNode }) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback(
    (key: string) => {
      onToggle();
      setOpen((before) => {
        const after = new Set(before);
        if (!after.delete(key)) after.add(key);
        return after;
      });
    },
    [onToggle],
  );
  const rows = useMemo(() => ({ isOpen: (key: string) => open.has(key), toggle }), [open, toggle]);
  return <Rows value={rows}>{children}</Rows>;
}

export function useOpenRow(key: string): readonly [isOpen: boolean, toggle: () => void] {
  const { isOpen, toggle } = useContext(Rows);
  return [isOpen(key), useCallback(() => toggle(key), [key, toggle])];
}
