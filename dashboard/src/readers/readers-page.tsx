import { PageHeader } from "../components/page-header.tsx";

export default function ReadersPage() {
  return <PageHeader title="readers" />;
}
