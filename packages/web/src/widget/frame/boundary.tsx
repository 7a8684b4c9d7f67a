/** @jsxImportSource preact */
import { Component, type ComponentChildren } from "preact";

/** Draws `instead` where a part cannot be drawn, so that the rest of the frame lives on. */
export class Boundary extends Component<
  { children: ComponentChildren; instead: ComponentChildren },
  { isBroken: boolean }
> {
  override state = { isBroken: false };

  static override getDerivedStateFromError(): { isBroken: boolean } {
    return { isBroken: true };
  }

  override componentDidCatch(error: unknown): void {
    console.warn("Portico: a part of the chat cannot be shown.", error);
  }

  override render() {
    return this.state.isBroken ? this.props.instead : this.props.children;
  }
}
