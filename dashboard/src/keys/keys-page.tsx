import { PageHeader } from "../components/page-header.tsx";

export default function KeysPage() {
  return <PageHeader title="keys" />;
}
