import { Component, type ErrorInfo, type ReactNode } from "react";
import { ErrorNotice } from "../ui/error-notice.tsx";

/**
 * Shows a fault of the page itself instead of an empty window. "Try again" loads the page anew: a part of it that could
 * not be loaded, as after an upgrade of the service, never comes otherwise.
 */
export class PageBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo): void {
    console.error(error, componentStack);
  }

  override render(): ReactNode {
    if (this.state.error === undefined) return this.props.children;
    return (
      <main style={{ padding: "var(--s5)", maxWidth: 640, margin: "0 auto" }}>
        <ErrorNotice error={this.state.error} onRetry={() => location.reload()} />
      </main>
    );
  }
}
