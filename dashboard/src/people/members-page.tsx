import { PageHeader } from "../components/page-header.tsx";

export default function MembersPage() {
  return <PageHeader title="members" />;
}
