import { PageHeader } from "../components/page-header.tsx";

export default function JobsPage() {
  return <PageHeader title="jobs" />;
}
