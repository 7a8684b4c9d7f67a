import type { Child } from "./child.ts";

/** A running server that takes part in a comparison; it listens on its port of 127.0.0.1. */
export interface Contender extends Child {
  /** Whether it stores the messages that it acknowledges; if so, they are counted at the end. */
  keepsMessages: boolean;
  /** Whether the sends to it have an idempotency key. */
  keyed: boolean;
}
