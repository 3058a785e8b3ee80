import { DocentError } from "@docent/sdk";
import { Alert, Button, List } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";

/** Says what went wrong in the service's own words, and what can be done. */
export function ErrorNotice({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const details = error instanceof DocentError ? error.details.map(({ message }) => message) : [];
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />} role="alert" title={title(error)}>
      {error.message}
      {details.length > 1 && (
        <List size="sm" mt="xs">
          {details.map((detail) => (
            <List.Item key={detail}>{detail}</List.Item>
          ))}
        </List>
      )}
      {onRetry !== undefined && (
        <div>
          <Button variant="default" size="xs" mt="sm" onClick={onRetry}>
            Try again
          </Button>
        </div>
      )}
    </Alert>
  );
}

function title(error: Error): string {
  if (!(error instanceof DocentError)) return "Something went wrong in this page";
  switch (error.status) {
    case 0:
      return "The service cannot be reached";
    case 403:
      return "This is not yours to do";
    case 404:
      return "There is nothing here";
    case 429:
      return "Too many requests";
    default:
      return error.status >= 500 ? "The service could not do this" : "This was not accepted";
  }
}
