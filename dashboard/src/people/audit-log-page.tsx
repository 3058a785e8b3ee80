import { PageHeader } from "../components/page-header.tsx";

export default function AuditLogPage() {
  return <PageHeader title="audit log" />;
}
