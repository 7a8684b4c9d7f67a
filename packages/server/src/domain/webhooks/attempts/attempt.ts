import { createSecureContext, type SecureContext } from "node:tls";
import type { Clock } from "../../../platform/clock/clock.ts";
import { type AddressGuard, AddressRefused } from "../../../platform/network/address-guard.ts";
import type { Cancellation } from "../../../platform/network/cancellation.ts";
import { aborted, ConnectionFailure } from "../../../platform/network/connection-failure.ts";
import { dial, endpointOf } from "../../../platform/network/dial.ts";
import { AttemptFailure, failureOfAddress } from "./attempt-failure.ts";
import type { AttemptResult } from "./attempt-result.ts";
import type { Exchanged } from "./connection.ts";
import { Connections, type Slot } from "./connections.ts";
import { RunningAttempt } from "./running-attempt.ts";

/** A POST to a receiver. */
export interface AttemptRequest {
  /**
   * Connections are shared only within a pool, so that a pool that uses up its connections to an origin takes none from
   * others.
   */
  pool: string;
  url: string;
  /** Sent unchanged. */
  body: Buffer;
  /**
   * Sent unchanged, in addition to Host, Connection, Content-Length and, unless given, Accept-Encoding. Called when
   * there is a connection to send them on, so that a signature has the time of the sending.
   */
  headers: () => Record<string, string> | Promise<Record<string, string>>;
}

export interface AttemptsOptions {
  guard: AddressGuard;
  /** For lookup, TCP and TLS together. */
  connectTimeoutMs: number;
  /** For the head and the body of the answer together, from the sending of the request on. */
  readTimeoutMs: number;
  clock: Clock;
  /** Trusted CA certificates (PEM), in place of the default ones. */
  tls?: { ca?: string | string[] };
  /** The most concurrent connections per pool and origin, both in use and idle. */
  connectionsPerOrigin?: number;
  /** The longest wait for a connection to an origin that has the maximum number, in milliseconds. */
  connectionWaitMs?: number;
  /** The most idle connections to all origins. */
  idleConnections?: number;
  /** The maximum age of a connection in milliseconds, after which a receiver's name is resolved again. */
  connectionMaxAgeMs?: number;
}

const CONNECTIONS_PER_ORIGIN = 20;
const IDLE_CONNECTIONS = 200;
const CONNECTION_MAX_AGE_MS = 5 * 60_000;
const CONNECTION_WAIT_MS = 5_000;
const RETRIED_STATUSES = new Set([408, 409, 425, 429]);

/**
 * The meaning of an attempt for its delivery (docs/contract/events.md#attempts-and-retries). A redirect is terminal,
 * like every answer that is neither a success nor in the list of retried ones.
 */
export function outcomeOf({ status }: AttemptResult): "delivered" | "retry" | "failed" {
  if (status === null || (status >= 500 && status < 600) || RETRIED_STATUSES.has(status)) return "retry";
  return status >= 200 && status < 300 ? "delivered" : "failed";
}

/**
 * Performs delivery attempts over HTTP/1.1 and TLS, with keep-alive connections. Each connection goes to an address
 * that the guard has checked, resolved by a single lookup. Redirects are not followed, and proxies of the environment
 * are not used.
 */
export class Attempts {
  readonly #options: AttemptsOptions;
  readonly #secureContext: SecureContext;
  readonly #connections: Connections;
  readonly #running = new Set<Cancellation>();
  /** The attempts in progress that a signal cancels, and the listener that does. */
  readonly #bySignal = new Map<AbortSignal, { attempts: Set<Cancellation>; listener: () => void }>();
  #closed = false;

  constructor(options: AttemptsOptions) {
    this.#options = options;
    this.#secureContext = createSecureContext({ ca: options.tls?.ca });
    this.#connections = new Connections({
      perOrigin: options.connectionsPerOrigin ?? CONNECTIONS_PER_ORIGIN,
      idle: options.idleConnections ?? IDLE_CONNECTIONS,
      maxAgeMs: options.connectionMaxAgeMs ?? CONNECTION_MAX_AGE_MS,
      waitMs: options.connectionWaitMs ?? CONNECTION_WAIT_MS,
    });
  }

  /**
   * Performs one attempt. It takes at most the sum of both time limits, and a few seconds more when connections are
   * scarce.
   *
   * It sends its request once: when the kept connection that it took turns out to be closed before anything was
   * written to it, the request goes over a new one. A connection that is lost later ends the attempt, because the
   * receiver may have read the request.
   *
   * @param signal cancels the attempt
   * @returns a result whatever the receiver and the network do; the reason is "aborted" after a cancellation
   * @throws what `request.headers` throws, and Error when the headers cannot be sent
   */
  async run(request: AttemptRequest, signal?: AbortSignal): Promise<AttemptResult> {
    const attempt = new RunningAttempt(this.#options.clock.now());
    const { cancellation } = attempt;
    const ended = signal && this.#cancelBy(signal, cancellation);
    this.#running.add(cancellation);
    if (this.#closed || signal?.aborted) cancellation.cancel();
    try {
      return await this.#carryOut(request, attempt);
    } finally {
      this.#running.delete(cancellation);
      ended?.();
    }
  }

  /** Cancels all attempts and closes all connections at once; later attempts end as aborted. */
  close(): void {
    this.#closed = true;
    cancelAll(this.#running);
    this.#connections.close();
  }

  /** Has a signal cancel an attempt, until the returned function is called. Those of one signal share one listener. */
  #cancelBy(signal: AbortSignal, cancellation: Cancellation): () => void {
    let group = this.#bySignal.get(signal);
    if (group === undefined) {
      const attempts = new Set<Cancellation>();
      group = { attempts, listener: () => cancelAll(attempts) };
      this.#bySignal.set(signal, group);
      signal.addEventListener("abort", group.listener);
    }
    const { attempts, listener } = group;
    attempts.add(cancellation);
    return () => {
      attempts.delete(cancellation);
      if (attempts.size > 0) return;
      this.#bySignal.delete(signal);
      signal.removeEventListener("abort", listener);
    };
  }

  async #carryOut(request: AttemptRequest, attempt: RunningAttempt): Promise<AttemptResult> {
    try {
      const exchanged = await this.#exchange(request, attempt);
      return await attempt.answered(exchanged, this.#options.readTimeoutMs);
    } catch (error) {
      const failure = error instanceof AddressRefused ? failureOfAddress(error) : error;
      if (failure instanceof AttemptFailure || failure instanceof ConnectionFailure) {
        return attempt.failed(failure.reason, failure.message);
      }
      throw error;
    }
  }

  async #exchange(request: AttemptRequest, attempt: RunningAttempt): Promise<Exchanged> {
    const target = this.#options.guard.parse(request.url);
    const slot = await this.#connections.acquire(request.pool, target.origin, attempt.cancellation);
    try {
      const isKept = slot.connection !== null;
      const exchanged = await this.#send(target, request, slot, attempt);
      if (!isKept || exchanged.exchange.started) return exchanged;
      slot.connection = null;
      return await this.#send(target, request, slot, attempt);
    } finally {
      this.#connections.release(slot);
    }
  }

  /**
   * Sends over the slot's connection, which is opened if necessary.
   *
   * @throws AddressRefused, ConnectionFailure when it cannot be opened.
   */
  async #send(target: URL, { body, headers }: AttemptRequest, slot: Slot, attempt: RunningAttempt): Promise<Exchanged> {
    const { readTimeoutMs } = this.#options;
    const { cancellation } = attempt;
    if (cancellation.cancelled) throw aborted();
    const connection = slot.connection ?? (await this.#open(target, slot, attempt));
    attempt.dial.address = connection.address;
    const path = target.pathname + target.search;
    const request = { path, headers: headersToSend(await headers()), body };
    if (cancellation.cancelled) throw aborted();
    return await connection.send(request, readTimeoutMs, cancellation);
  }

  async #open(target: URL, slot: Slot, { dial: record, cancellation }: RunningAttempt) {
    const { guard, connectTimeoutMs } = this.#options;
    const options = { guard, secureContext: this.#secureContext, timeoutMs: connectTimeoutMs };
    const socket = await dial(endpointOf(target), options, record, cancellation);
    return this.#connections.fill(slot, record.address ?? "", socket);
  }
}

function cancelAll(attempts: ReadonlySet<Cancellation>): void {
  for (const cancellation of [...attempts]) cancellation.cancel();
}

const ENCODING = "accept-encoding";

function headersToSend(headers: Record<string, string>): Record<string, string> {
  const isEncoding = (name: string) => name.length === ENCODING.length && name.toLowerCase() === ENCODING;
  return Object.keys(headers).some(isEncoding) ? headers : { ...headers, [ENCODING]: "identity" };
}
