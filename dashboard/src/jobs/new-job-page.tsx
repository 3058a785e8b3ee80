import { PageHeader } from "../components/page-header.tsx";

export default function NewJobPage() {
  return <PageHeader title="new job" />;
}
