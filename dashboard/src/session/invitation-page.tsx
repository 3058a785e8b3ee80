import { PageHeader } from "../components/page-header.tsx";

export default function InvitationPage() {
  return <PageHeader title="invitation" />;
}
