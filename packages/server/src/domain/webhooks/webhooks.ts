import type { Logger } from "pino";
import type { Clock } from "../../platform/clock/clock.ts";
import type { Config } from "../../platform/config/config.ts";
import type { CircuitState } from "../../platform/coordination/circuit.ts";
import type { Coordination } from "../../platform/coordination/coordination.ts";
import type { SecretBox } from "../../platform/crypto/secret-box.ts";
import type { Metrics } from "../../platform/metrics.ts";
import { AddressGuard } from "../../platform/network/address-guard.ts";
import type { Lookup } from "../../platform/network/lookups.ts";
import type { Storage } from "../../platform/storage/storage.ts";
import { Attempts } from "./attempts/attempt.ts";
import { type Verification, verifyCallback } from "./attempts/verify-callback.ts";
import { listDueApps } from "./delivery-store.ts";
import { deliverer } from "./dispatcher/deliver.ts";
import { Dispatcher } from "./dispatcher/dispatcher.ts";
import type { DueClock } from "./due-clock.ts";
import { pullDueTimesBack, takeAllClaimsBack, takeAllJobsBack } from "./take-over.ts";

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
  log: Logger;
  network: Network;
}

/** The webhook engine: checks callback addresses, and delivers the events of the outbox. */
export class Webhooks {
  readonly #parts: WebhookParts;
  readonly #guard: AddressGuard;
  readonly #attempts: Attempts;
  readonly #dispatcher: Dispatcher;

  constructor(parts: WebhookParts) {
    this.#parts = parts;
    const { allowNetworks, connectTimeoutMs, readTimeoutMs, concurrencyPerApp } = parts.config.webhook;
    const { lookup, ca } = parts.network;
    this.#guard = new AddressGuard({ allowNetworks, lookupTimeoutMs: connectTimeoutMs, ...(lookup && { lookup }) });
    this.#attempts = new Attempts({
      guard: this.#guard,
      connectTimeoutMs,
      readTimeoutMs,
      clock: parts.clock,
      connectionsPerOrigin: concurrencyPerApp,
      ...(ca !== undefined && { tls: { ca } }),
    });
    this.#dispatcher = new Dispatcher({ ...parts, deliver: deliverer({ ...parts, attempts: this.#attempts }) });
    const { metrics } = parts;
    const dueSeconds = "Age of the oldest webhook delivery that is due and in nobody's hands, in seconds";
    metrics.addGauge("portico_webhook_due_age_seconds", dueSeconds, () => this.#dueAgeSeconds());
    const circuits = "Applications with deliveries to be made whose circuit is not NORMAL";
    metrics.addGauge("portico_webhook_circuits_open", circuits, () => this.#openCircuits());
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
  }

  /** Notifies the dispatcher of an event of the application. Call it once the event is on disk. */
  due(appId: string): void {
    this.#dispatcher.due(appId);
  }

  /** Looks for due deliveries without a notification. */
  poll(): Promise<void> {
    return this.#dispatcher.pollAll();
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

  /** Asks the callback whether it is there. */
  verifyCallback(url: string): Promise<Verification> {
    return verifyCallback(this.#attempts, url);
  }

  async #dueAgeSeconds(): Promise<number> {
    const { storage, dueClock, coordination } = this.#parts;
    const now = dueClock.now();
    let oldest = now;
    for (const { appId, dueAt } of await listDueApps(storage.db)) {
      // Deliveries behind an open circuit belong to another metric.
      if (dueAt < oldest && (await coordination.circuits.openUntil(appId, now)) === null) oldest = dueAt;
    }
    return (now - oldest) / 1_000;
  }

  async #openCircuits(): Promise<number> {
    const apps = await listDueApps(this.#parts.storage.db);
    const states = apps.map(({ appId }) => this.circuitState(appId));
    return (await Promise.all(states)).filter((state) => state !== "NORMAL").length;
  }

  async close(): Promise<void> {
    try {
      await this.#dispatcher.close();
    } finally {
      this.#attempts.close();
    }
  }
}
