import { Component, type ReactNode } from "react";
import { Omitted } from "./omitted.tsx";

interface Props {
  children: ReactNode;
}

/** Keeps a fault in one component from the rest of the card and of the page. */
export class PartBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  /** An update of the card may mend what was at fault. */
  override componentDidUpdate(before: Props): void {
    if (this.state.failed && before.children !== this.props.children) this.setState({ failed: false });
  }

  override render(): ReactNode {
    return this.state.failed ? <Omitted reason="malformed" count={1} /> : this.props.children;
  }
}
