import { DocentError } from "@docent/sdk";
import { ErrorNotice } from "../components/error-notice.tsx";

/** Why something was not sent. Where nobody knows whether it arrived, it can be sent again and counts once. */
export function SendFailure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const mayHaveArrived = !(error instanceof DocentError) || error.status === 0 || error.status >= 500;
  return mayHaveArrived ? <ErrorNotice error={error} onRetry={onRetry} /> : <ErrorNotice error={error} />;
}
