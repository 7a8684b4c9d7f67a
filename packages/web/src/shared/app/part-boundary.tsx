import { Component, type ReactNode } from "react";

/** Shows something else in place of a part that cannot be drawn or whose code cannot be loaded, and leaves the page alone. */
export class PartBoundary extends Component<
  { children: ReactNode; instead: ReactNode | ((error: unknown) => ReactNode) },
  { error: unknown; hasFailed: boolean }
> {
  override state: { error: unknown; hasFailed: boolean } = { error: undefined, hasFailed: false };

  static getDerivedStateFromError(error: unknown): { error: unknown; hasFailed: boolean } {
    return { error, hasFailed: true };
  }

  override render(): ReactNode {
    const { children, instead } = this.props;
    if (!this.state.hasFailed) return children;
    return typeof instead === "function" ? instead(this.state.error) : instead;
  }
}
