import { Button, Group, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconKey, IconPlus } from "@tabler/icons-react";
import { CopyButton } from "../components/copy-button.tsx";
import { EmptyState } from "../components/empty-state.tsx";
import { ErrorNotice } from "../components/error-notice.tsx";
import { Loading } from "../components/loading.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { useProject } from "../projects/project-context.tsx";
import { useMay } from "../session/session-context.tsx";
import { CreateKeyDialog } from "./create-key-dialog.tsx";
import { KeyList } from "./key-list.tsx";
import { useKeys } from "./queries.ts";

export default function KeysPage() {
  const project = useProject();
  const mayChange = useMay("editor");
  const keys = useKeys(project.id);
  const [isCreating, creating] = useDisclosure(false);
  const create = (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={creating.open}>
      New key
    </Button>
  );
  const isEmpty = keys.data?.length === 0;
  return (
    <>
      <PageHeader
        title="API keys"
        description="Programs work with this project by a key: your pipeline that starts jobs, your site that reports its readers."
        actions={mayChange && !isEmpty ? create : undefined}
      />
      <Group className="docent-card" px="md" py="sm" mb="md" gap="xs">
        <Text size="sm" c="dimmed">
          Project id
        </Text>
        <Group gap={4} wrap="nowrap">
          <Text className="docent-mono" component="span">
            {project.id}
          </Text>
          <CopyButton value={project.id} label="Copy the project id" />
        </Group>
      </Group>
      {!mayChange && (
        <Text c="dimmed" mb="md">
          Editors and owners make and revoke keys. Your role is viewer: ask one of them for a key.
        </Text>
      )}
      {keys.isError && keys.data === undefined && (
        <ErrorNotice error={keys.error} onRetry={() => void keys.refetch()} />
      )}
      {keys.isPending && <Loading />}
      {isEmpty && (
        <EmptyState icon={IconKey} title="There is no key yet">
          {mayChange ? (
            <>
              <Text mb="md">A key begins with “docent_” and is shown once, when it is made.</Text>
              {create}
            </>
          ) : (
            "Nobody has made one."
          )}
        </EmptyState>
      )}
      {keys.data !== undefined && !isEmpty && <KeyList keys={keys.data} projectId={project.id} mayRevoke={mayChange} />}
      <CreateKeyDialog projectId={project.id} opened={isCreating} onClose={creating.close} />
    </>
  );
}
