import { Text } from "@mantine/core";
import { PageHeader } from "../components/page-header.tsx";
import { useMay } from "../session/session-context.tsx";
import { NewProjectForm } from "./new-project-form.tsx";

export default function NewProjectPage() {
  const isOwner = useMay("owner");
  return (
    <>
      <PageHeader title="New project" description="Say where the documentation lies. Everything else can wait." />
      {isOwner ? <NewProjectForm /> : <Text>Only owners create projects. Ask one of them.</Text>}
    </>
  );
}
