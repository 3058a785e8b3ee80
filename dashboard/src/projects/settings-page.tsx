import { PageHeader } from "../components/page-header.tsx";

export default function SettingsPage() {
  return <PageHeader title="settings" />;
}
