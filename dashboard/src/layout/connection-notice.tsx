import { Loader, Text } from "@mantine/core";
import { useConnection } from "../connection.ts";
import classes from "./layout.module.css";

/** Says so while the service does not answer; everything goes on by itself once it does. */
export function ConnectionNotice() {
  const isUp = useConnection();
  return (
    <div role="status" aria-live="polite">
      {!isUp && (
        <div className={classes.connection}>
          <Loader size="xs" color="currentColor" />
          <Text size="sm" component="span">
            The service does not answer. Trying again …
          </Text>
        </div>
      )}
    </div>
  );
}
