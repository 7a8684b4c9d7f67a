import { DEVELOPER_LOGINS } from "../domain/accounts/developer-login-store.ts";
import { MEMBER_LOGINS } from "../domain/accounts/member-login-store.ts";
import { sweepUsedFlows } from "../domain/accounts/oidc/identity-store.ts";
import { endLapsedOperators } from "../domain/accounts/oidc/operator-lapse.ts";
import { sweepQrLogins } from "../domain/accounts/qr-login-store.ts";
import { sweepChallenges } from "../domain/accounts/second-factor/challenge-store.ts";
import { CHALLENGE_MS } from "../domain/accounts/second-factor/sign-in.ts";
import { sweepDayUsage } from "../domain/applications/day-usage.ts";
import { sweepAudit } from "../domain/audit/audit-chain.ts";
import { sweepCardActions } from "../domain/cards/card-action-store.ts";
import { indexMissing } from "../domain/customer-service/index-missing.ts";
import { sweepAnonymous } from "../domain/customer-service/sweep-anonymous.ts";
import { sweepVisitorKeys, VISITOR_KEY_LIFE_MS } from "../domain/customer-service/visitor-keys.ts";
import { sweepVisitorTokens, VISITOR_TOKEN_LIFE_MS } from "../domain/customer-service/visitor-tokens.ts";
import { sweepFiles } from "../domain/files/sweep.ts";
import { sweepCodes } from "../domain/mini-programs/code-store.ts";
import { sweepCallCounts } from "../domain/requests/call-counts.ts";
import { sweepRequestDays, sweepRequests } from "../domain/requests/sweep.ts";
import { sweepRedeliveryJobs } from "../domain/webhooks/redelivery/redelivery-job-store.ts";
import { sweepDeliveries } from "../domain/webhooks/sweep.ts";
import { DAY_MS, dayOf } from "../platform/coordination/coordination.ts";
import type { Context } from "./context.ts";

const EVERY_MS = 60_000;

/**
 * Removes expired rows once a minute. Every process runs it; nothing depends on it for correctness, but that rights end which
 * operators have on the word of a provider.
 */
export class Maintenance {
  readonly #ctx: Context;
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> | null = null;
  #endingRights: Promise<void> | null = null;
  /** Operators whose right would have ended, if another operator could sign in. */
  #keptOperators: ReadonlySet<string> = new Set();
  #isClosing = false;

  constructor(ctx: Context) {
    this.#ctx = ctx;
    this.#timer = setInterval(() => void this.run(), EVERY_MS);
    this.#timer.unref();
  }

  /** Runs one round unless one is running; never rejects. */
  async run(): Promise<void> {
    // Beside the sweeps: a long one must leave no right standing.
    this.#endingRights ??= this.#endRights().finally(() => {
      this.#endingRights = null;
    });
    this.#running ??= this.#sweep().finally(() => {
      this.#running = null;
    });
    await Promise.all([this.#endingRights, this.#running]);
  }

  /** Finishes the sweep in progress. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#timer);
    await Promise.all([this.#endingRights, this.#running]);
  }

  async #endRights(): Promise<void> {
    const { developers } = this.#ctx.config.oidc;
    if (developers === null) return;
    await this.#hear();
    const passed = this.#ctx.clocks.passed(developers.operatorClaimLifeMs);
    try {
      this.#keptOperators = await endLapsedOperators(this.#ctx, developers, passed, this.#keptOperators);
    } catch (error) {
      this.#ctx.log.warn({ err: error }, "ending the rights of operators failed; tried again in a minute");
    }
  }

  async #hear(): Promise<void> {
    const { clocks, log } = this.#ctx;
    await clocks.hear().catch((error: unknown) => log.warn({ err: error }, "the clocks could not be read"));
  }

  async #sweep(): Promise<void> {
    const { config, log, nonces, clocks, storage } = this.#ctx;
    const { limits, retention } = config;
    const { unhurried } = storage;
    await this.#hear();
    const passed = clocks.passed(DAY_MS);
    const sweeps = {
      nonces: () => nonces.sweep(clocks.times(limits.timestampWindowMs + limits.nonceTtlMs)),
      memberLogins: () => MEMBER_LOGINS.sweep(unhurried, passed),
      developerLogins: () => DEVELOPER_LOGINS.sweep(unhurried, passed),
      qrLogins: () => sweepQrLogins(unhurried, clocks.passed(config.console.qrTtlMs)),
      signInChallenges: () => sweepChallenges(unhurried, clocks.passed(CHALLENGE_MS)),
      usedFlows: () => sweepUsedFlows(unhurried, passed),
      visitorTokens: () => sweepVisitorTokens(unhurried, clocks.passed(VISITOR_TOKEN_LIFE_MS)),
      visitorKeys: () => sweepVisitorKeys(unhurried, clocks.passed(VISITOR_KEY_LIFE_MS)),
      miniappCodes: () => sweepCodes(unhurried, clocks.passed(limits.miniappCodeTtlMs)),
      dayUsage: () => sweepDayUsage(unhurried, dayOf(passed)),
      files: () => sweepFiles(this.#ctx),
      deliveries: () => sweepDeliveries(unhurried, passed - retention.deliveriesMs),
      cardActions: () => sweepCardActions(unhurried, passed - retention.deliveriesMs),
      redeliveryJobs: () => sweepRedeliveryJobs(unhurried, passed - retention.deliveriesMs),
      requests: () => sweepRequests(storage, passed, retention.requestsMs),
      callCounts: () => sweepCallCounts(unhurried, passed - retention.requestsMs),
      anonymousVisitors: () => sweepAnonymous(storage),
      audit: () => sweepAudit(unhurried, passed - retention.auditMs, this.#ctx.clock.now()),
      customerTexts: () => indexMissing(storage, this.#ctx.clock.now()),
      // The last, because it may read the whole default partition, which after an upgrade is all of the log.
      requestDays: () => sweepRequestDays(storage, passed, retention.requestsMs),
    };
    for (const [name, sweep] of Object.entries(sweeps)) {
      if (this.#isClosing) return;
      await sweep().catch((error: unknown) =>
        log.warn({ err: error }, `sweeping ${name} failed; tried again in a minute`),
      );
    }
  }
}
