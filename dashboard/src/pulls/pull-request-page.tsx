import { DocentError } from "@docent/sdk";
import { useParams } from "wouter";
import { ErrorNotice } from "../components/error-notice.tsx";
import { Loading } from "../components/loading.tsx";
import { NotFound } from "../components/not-found.tsx";
import { useProject } from "../projects/project-context.tsx";
import { PullRequestView } from "./pull-request-view.tsx";
import { usePullRequest } from "./queries.ts";

/** A pull request of the built-in code host. */
export default function PullRequestPage() {
  const { number } = useParams<{ number: string }>();
  // Such as the service itself takes: nothing else names a pull request.
  return /^[1-9]\d{0,9}$/.test(number) ? <Found number={Number(number)} /> : <NotFound />;
}

function Found({ number }: { number: number }) {
  const project = useProject();
  const pull = usePullRequest(project.id, number);
  if (pull.data !== undefined) {
    return (
      <>
        {/* While the service is away, what was read stays, and the layout says so. */}
        {pull.isError && isRefusal(pull.error) && <ErrorNotice error={pull.error} />}
        <PullRequestView key={number} pull={pull.data} />
      </>
    );
  }
  return pull.isError ? <ErrorNotice error={pull.error} onRetry={() => void pull.refetch()} /> : <Loading />;
}

function isRefusal(error: Error): boolean {
  return error instanceof DocentError && error.status >= 400 && error.status < 500;
}
