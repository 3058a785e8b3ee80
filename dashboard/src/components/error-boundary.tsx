import { Component, type ReactNode } from "react";
import { ErrorNotice } from "./error-notice.tsx";

/** Shows what broke while a page was drawn, in its place. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    // After a new version was installed, the files of the one that this page is from are gone.
    return error === null ? this.props.children : <ErrorNotice error={error} onRetry={() => location.reload()} />;
  }
}
