import { useCallback, useState } from "react";
import { useUser } from "../session/session-context.tsx";

/** What somebody has written and not sent, kept over a reload of the page in its tab. */
export function useDraft(name: string): readonly [text: string, setText: (text: string) => void] {
  const key = `docent draft ${useUser().id} ${name}`;
  const [text, setText] = useState(() => read(key));
  const change = useCallback(
    (next: string) => {
      setText(next);
      write(key, next);
    },
    [key],
  );
  return [text, change];
}

function read(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

function write(key: string, text: string): void {
  try {
    if (text === "") sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  } catch {
    // A browser without storage, or one that is full, forgets the draft with the page.
  }
}
