/** A server that takes part in a comparison, running. */
export interface Contender {
  name: string;
  pid: number;
  /** It listens on this port of 127.0.0.1. */
  port: number;
  /** Whether it keeps the messages it acknowledges; then they are counted in the end. */
  keepsMessages: boolean;
  /** Whether the sends to it carry an idempotency key. */
  keyed: boolean;
  stop(): Promise<void>;
}
