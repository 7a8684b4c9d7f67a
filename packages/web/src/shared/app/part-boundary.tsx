import { Component, type ReactNode } from "react";

interface Props {
  children: ReactNode;
  instead: ReactNode | ((error: unknown) => ReactNode);
  /** After a failure the part is tried again when this has changed. */
  version?: unknown;
}

/** Shows something else in place of a part that cannot be drawn or whose code cannot be loaded, and leaves the page alone. */
export class PartBoundary extends Component<Props, { error: unknown; hasFailed: boolean }> {
  override state: { error: unknown; hasFailed: boolean } = { error: undefined, hasFailed: false };

  static getDerivedStateFromError(error: unknown): { error: unknown; hasFailed: boolean } {
    return { error, hasFailed: true };
  }

  override componentDidUpdate(before: Props): void {
    if (this.state.hasFailed && before.version !== this.props.version) this.setState({ hasFailed: false });
  }

  override render(): ReactNode {
    const { children, instead } = this.props;
    if (!this.state.hasFailed) return children;
    return typeof instead === "function" ? instead(this.state.error) : instead;
  }
}
