import { ApiRefusedError } from "@portico/protocol/client/errors";
import { ERRORS } from "@portico/protocol/errors";
import type { GoodbyeReason, SocketEvent, SocketHello } from "@portico/protocol/socket";
import type { Logger } from "../bot/logger.ts";
import { settledWithin } from "../within.ts";
import { reconnectDelayMs } from "./backoff.ts";
import { Connection } from "./connection.ts";
import type { SocketAddress } from "./socket-address.ts";
import type { StreamEnding } from "./stream-ending.ts";

/** A connection that lasted so long was a good one, and the next begins without the waits of those before it. */
const GOOD_AFTER_MS = 10_000;

/** Refusals after which a later try can succeed. */
const PASSING: ReadonlySet<string> = new Set([ERRORS.INTERNAL.code, ERRORS.QUOTA_EXCEEDED.code]);

/** How an event is answered: acknowledged, or refused with a reason, to be tried again unless `retry` is false. */
export type EventAnswer = { ack: true } | { ack: false; reason: string; retry?: boolean };

/** Options of an {@link EventStream}. */
export interface EventStreamOptions extends SocketAddress {
  /** Deals with an event. It must not throw. */
  onEvent(event: SocketEvent, hello: SocketHello): Promise<EventAnswer>;
  random: () => number;
  sleep: (delayMs: number) => Promise<unknown>;
  logger: Logger;
}

/** The events of an application over connections that follow each other, until it is stopped. */
export class EventStream {
  readonly #options: EventStreamOptions;
  readonly #stopping = new AbortController();
  readonly #underWay = new Set<Promise<void>>();
  /** That are open: one, and while the service restarts also the one before. */
  readonly #connections = new Set<Connection>();

  /** @internal */
  constructor(options: EventStreamOptions) {
    this.#options = options;
  }

  /**
   * Connects, and keeps connecting as long as there is no answer; then keeps the connection up.
   *
   * @returns the first hello, and the promise of the end, which is never rejected.
   * @throws ApiRefusedError when the service refuses for good. @throws Error when it is stopped meanwhile.
   */
  async start(): Promise<{ hello: SocketHello; ended: Promise<StreamEnding> }> {
    const first = await this.#connect();
    if (first === null) throw new Error("the stream was stopped before it was connected");
    return { hello: first.connection.hello, ended: this.#keepUp(first) };
  }

  /**
   * Takes no further events, waits until those it has are answered, at most for `timeoutMs`, and ends the connection: the
   * service closes it once the answers are recorded. What was not answered goes to another connection.
   */
  async stop(timeoutMs: number): Promise<void> {
    this.#stopping.abort();
    await settledWithin(timeoutMs, this.#underWay);
    await Promise.all([...this.#connections].map((connection) => connection.close()));
  }

  /** Connects again after each connection, until there is a reason not to. */
  async #keepUp(first: Held): Promise<StreamEnding> {
    const { clock, logger } = this.#options;
    let held: Held | null = first;
    for (let retry = 0; held !== null; ) {
      const since = clock();
      const reason: GoodbyeReason | "lost" = await Promise.race([
        held.goodbye,
        held.connection.ended.then(() => "lost" as const),
      ]);
      if (this.#stopping.signal.aborted) return "stopped";
      if (reason === "credential" || reason === "disabled") {
        logger.error(`the service has ended the connection: ${ADVICE[reason]}`);
        return reason;
      }
      retry = clock() - since >= GOOD_AFTER_MS ? 0 : retry + 1;
      if (reason === "stalled") logger.warn(stalled(held.connection.hello));
      else logger.info(`${reason === "lost" ? "the connection is lost" : "the service restarts"}; connecting again`);
      try {
        held = await this.#connect(retry, "connected again");
      } catch (error) {
        logger.error("the service refuses to connect again", error);
        return "refused";
      }
    }
    return "stopped";
  }

  /** Connects; null when it is stopped. @throws ApiRefusedError for a refusal that will not pass. */
  async #connect(retry = 0, success = "connected"): Promise<Held | null> {
    const { random, logger } = this.#options;
    // Whoever was warned is told at the same level that it is over.
    let level: "info" | "warn" = "info";
    for (let delayMs = retry === 0 ? 0 : reconnectDelayMs(retry - 1, random); ; retry++) {
      if (delayMs > 0) await this.#pause(delayMs);
      if (this.#stopping.signal.aborted) return null;
      try {
        const held = await this.#open();
        logger[level](`${success} as ${held.connection.hello.connectionId}`);
        return held;
      } catch (error) {
        const isRefused = error instanceof ApiRefusedError;
        if (isRefused && !PASSING.has(error.code)) throw error;
        const askedMs = isRefused ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
        delayMs = Math.max(reconnectDelayMs(retry, random), askedMs);
        const words = error instanceof Error ? error.message : String(error);
        level = "warn";
        logger.warn(`not connected: ${words}; the next try is in ${(delayMs / 1000).toFixed(1)} s`);
      }
    }
  }

  async #open(): Promise<Held> {
    const { logger } = this.#options;
    let sayGoodbye: (reason: GoodbyeReason) => void = () => {};
    const goodbye = new Promise<GoodbyeReason>((resolve) => {
      sayGoodbye = resolve;
    });
    // Events can come before this is known.
    let answerBy: (connection: Connection) => void = () => {};
    const opened = new Promise<Connection>((resolve) => {
      answerBy = resolve;
    });
    const connection = await Connection.open(this.#options, {
      onEvent: (event, hello) => this.#take(event, hello, opened),
      onGoodbye: sayGoodbye,
      onError: (message) => logger.warn(`the service did not understand a frame: ${message}`),
    });
    answerBy(connection);
    this.#connections.add(connection);
    void connection.ended.then(() => this.#connections.delete(connection));
    // It was stopped while the connection came about.
    if (this.#stopping.signal.aborted) await connection.close();
    return { connection, goodbye };
  }

  #take(event: SocketEvent, hello: SocketHello, opened: Promise<Connection>): void {
    // Not answered, it goes to another connection as soon as this one ends.
    if (this.#stopping.signal.aborted) return;
    const { deliveryId } = event;
    const handling = this.#options.onEvent(event, hello).then(async (answer) => {
      const connection = await opened;
      if (answer.ack) return connection.send({ type: "ack", deliveryId });
      const { reason, retry } = answer;
      connection.send({ type: "nack", deliveryId, reason, ...(retry === undefined ? {} : { retry }) });
    });
    this.#underWay.add(handling);
    void handling.finally(() => this.#underWay.delete(handling));
  }

  /** Waits, but not beyond the stop. */
  async #pause(delayMs: number): Promise<void> {
    const { signal } = this.#stopping;
    let wake: () => void = () => {};
    const stopped = new Promise<void>((resolve) => {
      wake = resolve;
    });
    signal.addEventListener("abort", wake);
    if (!signal.aborted) await Promise.race([this.#options.sleep(delayMs), stopped]);
    signal.removeEventListener("abort", wake);
  }
}

/** A connection, with the reason that the service gives before it ends it. */
interface Held {
  connection: Connection;
  goodbye: Promise<GoodbyeReason>;
}

function stalled({ ackTimeoutMs }: SocketHello): string {
  const seconds = (ackTimeoutMs / 1_000).toFixed(1);
  return `the service ends the connection because events were not answered within ${seconds} s: listeners must be done by then, and nothing may block the process; connecting again`;
}

const ADVICE: Readonly<Record<"credential" | "disabled", string>> = {
  credential: "the credential was revoked or is past its grace period; start again with the new one",
  disabled: "the application was disabled; its owner sees the reason in the console",
};
