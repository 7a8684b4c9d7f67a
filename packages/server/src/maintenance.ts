import { sweepDayUsage } from "./applications/day-usage.ts";
import { sweepLogins } from "./console/login-store.ts";
import { sweepQrLogins } from "./console/qr-login-store.ts";
import type { Context } from "./context.ts";
import { dayOf } from "./coordination/coordination.ts";
import { sweepVisitorTokens } from "./customer/visitor-tokens.ts";
import { sweepRedeliveryJobs } from "./events/redelivery-job-store.ts";
import { sweepDeliveries } from "./events/sweep.ts";
import { sweepFiles } from "./files/sweep.ts";
import { sweepNonces } from "./gate/nonce-store.ts";
import { sweepCardActions } from "./messenger/card-action-store.ts";
import { sweepTokens } from "./messenger/session.ts";
import { sweepCodes } from "./miniapp/code-store.ts";
import { sweepCallCounts } from "./requests/call-counts.ts";
import { sweepRequests } from "./requests/sweep.ts";

const EVERY_MS = 60_000;

/** Removes what has outlived its time, once a minute. Every process does so; none depends on it having been done. */
export class Maintenance {
  readonly #ctx: Context;
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> | null = null;

  constructor(ctx: Context) {
    this.#ctx = ctx;
    this.#timer = setInterval(() => void this.run(), EVERY_MS);
    this.#timer.unref();
  }

  /** One round; never fails. A round still running is not joined by a second one. */
  run(): Promise<void> {
    this.#running ??= this.#sweep().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  async #sweep(): Promise<void> {
    const { clock, config, log } = this.#ctx;
    const { unhurried } = this.#ctx.storage;
    const now = clock.now();
    const sweeps = {
      nonces: () => sweepNonces(this.#ctx.storage, now),
      tokens: () => sweepTokens(unhurried, now),
      consoleLogins: () => sweepLogins(unhurried, now),
      qrLogins: () => sweepQrLogins(unhurried, now),
      visitorTokens: () => sweepVisitorTokens(unhurried, now),
      miniappCodes: () => sweepCodes(unhurried, now),
      dayUsage: () => sweepDayUsage(unhurried, dayOf(now) - 1),
      files: () => sweepFiles(this.#ctx),
      deliveries: () => sweepDeliveries(unhurried, now - config.retention.deliveriesMs),
      cardActions: () => sweepCardActions(unhurried, now - config.retention.deliveriesMs),
      redeliveryJobs: () => sweepRedeliveryJobs(unhurried, now - config.retention.deliveriesMs),
      requests: () => sweepRequests(unhurried, now - config.retention.requestsMs),
      callCounts: () => sweepCallCounts(unhurried, now - config.retention.requestsMs),
    };
    for (const [name, sweep] of Object.entries(sweeps)) {
      await sweep().catch((error: unknown) =>
        log.warn({ err: error }, `sweeping ${name} failed; tried again in a minute`),
      );
    }
  }
}
