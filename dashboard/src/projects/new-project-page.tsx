import { PageHeader } from "../components/page-header.tsx";

export default function NewProjectPage() {
  return <PageHeader title="new project" />;
}
