import { memo, Suspense } from "react";
import classes from "./transcript.module.css";
import { lazyPart } from "../../components/lazy-part.ts";

// Fetched when the first text is shown, which can be read plainly until then.
const Markdown = lazyPart(async () => ({ default: (await import("../../markdown/markdown.tsx")).Markdown }));

/** What a model wrote, as it reads. */
export const ModelText = memo(function ModelText({ text }: { text: string }) {
  const plain = (
    <div className={classes.plain} dir="auto">
      {text}
    </div>
  );
  return (
    <Suspense fallback={plain}>
      <Markdown text={text} pending={plain} />
    </Suspense>
  );
});
