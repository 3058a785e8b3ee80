import { PageHeader } from "../components/page-header.tsx";

export default function JobPage() {
  return <PageHeader title="job" />;
}
