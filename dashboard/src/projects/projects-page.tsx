import { PageHeader } from "../components/page-header.tsx";

export default function ProjectsPage() {
  return <PageHeader title="projects" />;
}
