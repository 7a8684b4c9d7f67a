/** A running server that takes part in a comparison. */
export interface Contender {
  name: string;
  pid: number;
  /** It listens on this port of 127.0.0.1. */
  port: number;
  /** Whether it stores the messages that it acknowledges; if so, they are counted at the end. */
  keepsMessages: boolean;
  /** Whether the sends to it have an idempotency key. */
  keyed: boolean;
  stop(): Promise<void>;
}
