import type { EventType } from "@portico/protocol";
import type { Logger } from "pino";
import type { Clock } from "../../platform/clock/clock.ts";
import type { Config } from "../../platform/config/config.ts";
import type { CircuitState, HeldBack } from "../../platform/coordination/circuit.ts";
import type { Coordination } from "../../platform/coordination/coordination.ts";
import type { SecretBox } from "../../platform/crypto/secret-box.ts";
import type { Metrics } from "../../platform/metrics.ts";
import { AddressGuard } from "../../platform/network/address-guard.ts";
import type { Lookup } from "../../platform/network/lookups.ts";
import type { Storage } from "../../platform/storage/storage.ts";
import type { Tracing } from "../../platform/tracing/tracing.ts";
import { Attempts } from "./attempts/attempt.ts";
import { type Verification, verifyCallback } from "./attempts/verify-callback.ts";
import { boundsFor, socketBounds } from "./dispatcher/bounds.ts";
import { deliverer } from "./dispatcher/deliver.ts";
import { Dispatcher } from "./dispatcher/dispatcher.ts";
import { HandOver } from "./dispatcher/hand-over.ts";
import { rehearsed } from "./dispatcher/rehearsed.ts";
import { webhookDeliveries } from "./dispatcher/webhook-deliveries.ts";
import type { DueClock } from "./due-clock.ts";
import { addQueueGauges } from "./queue-gauges.ts";
import { CredentialWatch } from "./sockets/credential-watch.ts";
import { destinationOf } from "./sockets/receivers.ts";
import { socketDeliverer, socketDeliveries } from "./sockets/socket-deliveries.ts";
import { SocketHub } from "./sockets/socket-hub.ts";
import { listConnections } from "./sockets/socket-store.ts";
import { Tender } from "./sockets/tender.ts";
import { getRecipients } from "./subscription-store.ts";
import { pullDueTimesBack, takeAllClaimsBack, takeAllJobsBack } from "./take-over.ts";

/** The channel on which processes announce that an application has something due. */
export const DUE = "due";
/** The channel on which processes announce that an application's circuit may be asked again. */
const CLOSED = "circuit-closed";

/** The network for callbacks; defaults to the system's. */
export interface Network {
  lookup?: Lookup;
  /** Trusted CA certificates (PEM), in place of the default ones. */
  ca?: string;
}

/** Dependencies of the webhook engine. */
export interface WebhookParts {
  storage: Storage;
  coordination: Coordination;
  secretBox: SecretBox;
  clock: Clock;
  dueClock: DueClock;
  config: Config;
  metrics: Metrics;
  tracing: Tracing | null;
  log: Logger;
  network: Network;
}

/** The webhook engine: checks callback addresses, and delivers the events of the outbox, by webhook or by socket. */
export class Webhooks {
  readonly #parts: WebhookParts;
  readonly #guard: AddressGuard;
  readonly #attempts: Attempts;
  readonly #dispatcher: Dispatcher;
  /** Connections of socket mode. */
  readonly sockets: SocketHub;
  readonly #socketDispatcher: Dispatcher;
  readonly #credentialWatch: CredentialWatch;
  readonly #tender: Tender;

  constructor(parts: WebhookParts) {
    this.#parts = parts;
    const { allowNetworks, allowLoopback, connectTimeoutMs, readTimeoutMs, concurrencyPerApp } = parts.config.webhook;
    const { lookup, ca } = parts.network;
    const trusted = { allowNetworks, allowLoopback };
    this.#guard = new AddressGuard({ ...trusted, lookupTimeoutMs: connectTimeoutMs, ...(lookup && { lookup }) });
    this.#attempts = new Attempts({
      guard: this.#guard,
      connectTimeoutMs,
      readTimeoutMs,
      clock: parts.clock,
      connectionsPerOrigin: concurrencyPerApp,
      ...(ca !== undefined && { tls: { ca } }),
    });
    const { coordination, storage, metrics } = parts;
    const bounds = boundsFor(concurrencyPerApp);
    this.#dispatcher = new Dispatcher({
      ...parts,
      bounds,
      deliveries: webhookDeliveries({ ...parts, bounds }),
      deliver: rehearsed(deliverer({ ...parts, attempts: this.#attempts }), parts),
      announce: (appId) => this.#announce(appId, this.#socketDispatcher),
      passedOn: (appId) => this.due(appId),
    });
    const due = (appId: string) => this.due(appId);
    this.#tender = new Tender({ ...parts, due });
    this.sockets = new SocketHub({
      ...parts,
      due,
      wake: (appId) => this.#socketDispatcher.wake(appId),
      tend: (appId) => this.#tender.tend(appId),
    });
    this.#credentialWatch = new CredentialWatch({ ...parts, db: storage.db, hub: this.sockets });
    const socketParts = {
      ...parts,
      bounds: socketBounds(),
      hub: this.sockets,
      publishDue: (appId: string) => coordination.publish(DUE, appId),
    };
    this.#socketDispatcher = new Dispatcher({
      ...parts,
      bounds: socketParts.bounds,
      deliveries: socketDeliveries(socketParts),
      deliver: rehearsed(socketDeliverer(socketParts), parts),
      announce: (appId) => this.#announce(appId, this.#dispatcher),
      settled: (delivery) => this.sockets.settled(delivery),
    });
    coordination.subscribe(DUE, (appId) => this.#wake(appId));
    coordination.subscribe(CLOSED, (appId) => {
      this.#dispatcher.circuitClosed(appId);
      this.#socketDispatcher.circuitClosed(appId);
    });
    addQueueGauges(metrics, { ...parts, circuits: coordination.circuits });
  }

  /**
   * Revokes the claims of a previous process, so that their leases need not expire first, and corrects what it planned
   * by a clock that was ahead. Only when no other process can work on the same outbox, and before {@link start}.
   */
  async takeOver(): Promise<void> {
    const { storage, dueClock, config } = this.#parts;
    const now = dueClock.now();
    await storage.write(async (tx) => {
      await takeAllClaimsBack(tx, now);
      await pullDueTimesBack(tx, now, config.webhook.retryDelaysMs);
      await takeAllJobsBack(tx, now);
    });
  }

  /** For a unit of work that writes events: claims them for this process, as far as it can attempt them at once. */
  handOver(): HandOver {
    return new HandOver(this.#dispatcher);
  }

  /** When an event of this moment is due, in epoch milliseconds. */
  dueNow(): number {
    return this.#parts.dueClock.now();
  }

  /** When a delivery is due, by the clock of this machine; for people. */
  shown(dueAt: number): number {
    return this.#parts.dueClock.shown(dueAt);
  }

  /** Starts the delivery, beginning with events left by previous processes. */
  start(): void {
    this.#dispatcher.start();
    this.#socketDispatcher.start();
    this.#tender.start(this.sockets);
  }

  /**
   * Notifies the dispatchers, those of other processes too, of an event of the application. Call it once the event is on
   * disk.
   */
  due(appId: string): void {
    this.#wake(appId);
    this.#parts.coordination.publish(DUE, appId);
  }

  #wake(appId: string): void {
    this.#dispatcher.wake(appId);
    if (this.sockets.has(appId)) this.#socketDispatcher.wake(appId);
  }

  /** Tells the other dispatcher of this process, and those of the others, that they may ask a circuit again. */
  #announce(appId: string, other: Dispatcher): void {
    other.circuitClosed(appId);
    this.#parts.coordination.publish(CLOSED, appId);
  }

  /** Looks for due deliveries without a notification. */
  async poll(): Promise<void> {
    await this.#dispatcher.pollAll();
    await this.#tender.round(this.sockets);
    await this.#socketDispatcher.pollAll();
  }

  /** A subscription of the application has changed: what waits follows it. */
  subscriptionChanged(appId: string): void {
    this.#tender.tend(appId);
    this.due(appId);
  }

  /** @throws AddressRefused when the callback must not be called. */
  async checkCallback(url: string): Promise<void> {
    await this.#guard.check(url);
  }

  /** The state of the application's circuit. */
  async circuitState(appId: string): Promise<CircuitState> {
    const { coordination, dueClock } = this.#parts;
    return await coordination.circuits.stateOf(appId, dueClock.now());
  }

  /** The time until which the application's circuit is open, in epoch milliseconds; null when it is closed. */
  async circuitOpenUntil(appId: string): Promise<number | null> {
    const { coordination, dueClock } = this.#parts;
    return await coordination.circuits.openUntil(appId, dueClock.now());
  }

  /** Those of the applications whose circuit is not NORMAL, asked for at once. */
  async heldBack(appIds: readonly string[]): Promise<ReadonlyMap<string, HeldBack>> {
    const { coordination, dueClock } = this.#parts;
    return await coordination.circuits.heldBack(appIds, dueClock.now());
  }

  /** Whether a connection is open that gets the application's events of a type. */
  async isConnected(appId: string, eventType: EventType): Promise<boolean> {
    const { storage, dueClock } = this.#parts;
    const [recipients, all] = [await getRecipients(storage.db, appId), await listConnections(storage.db, appId)];
    const alive = all.filter(
      ({ connectionId, leaseUntil }) => leaseUntil > dueClock.now() || this.sockets.find(connectionId) !== undefined,
    );
    const destination = destinationOf(eventType, recipients, alive);
    return destination.to === "socket" && destination.connections.length > 0;
  }

  /** Asks the callback whether it is there. */
  verifyCallback(url: string): Promise<Verification> {
    return verifyCallback(this.#attempts, url);
  }

  async close(): Promise<void> {
    this.#credentialWatch.close();
    try {
      await this.sockets.close();
      await Promise.all([this.#dispatcher.close(), this.#socketDispatcher.close(), this.#tender.close()]);
    } finally {
      this.#attempts.close();
    }
  }
}
