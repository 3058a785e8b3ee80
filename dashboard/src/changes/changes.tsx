import { Suspense } from "react";
import { Loading } from "../components/loading.tsx";
import type { ChangesProps } from "./changes-view.tsx";
import { lazyPart } from "../components/lazy-part.ts";

// The diff, the preview and what they need are fetched when somebody looks at changes.
const ChangesView = lazyPart(async () => ({ default: (await import("./changes-view.tsx")).ChangesView }));

/** What a unified diff changes, file by file: as lines, and pages as they read. */
export function Changes(props: ChangesProps) {
  return (
    <Suspense fallback={<Loading />}>
      <ChangesView {...props} />
    </Suspense>
  );
}
