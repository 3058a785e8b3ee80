import { PageHeader } from "../components/page-header.tsx";

export default function PullRequestPage() {
  return <PageHeader title="pull request" />;
}
