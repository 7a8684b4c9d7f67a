import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import type { Config } from "../config/config.ts";
import type { Circuits } from "../coordination/circuit.ts";
import type { Coordination } from "../coordination/coordination.ts";
import type { Storage } from "../storage/storage.ts";
import type { AttemptResult } from "./attempt.ts";
import { type ClaimedDelivery, claimDue, deferDue, giveBackClaims, listDueApps, nextDueAt } from "./delivery-store.ts";
import { type Recipients, readRecipients } from "./subscription-store.ts";

/**
 * Carries out one claimed delivery. When it fails, the claim stays: it is given back when the service stops, and else ends
 * with its lease.
 *
 * @param attempted told of the attempt's result before that is stored.
 * @returns false when it was settled without an attempt.
 */
export type Deliver = (
  appId: string,
  delivery: ClaimedDelivery,
  recipients: Recipients,
  attempted: (result: AttemptResult) => Promise<void>,
  signal: AbortSignal,
) => Promise<boolean>;

/**
 * What this process knows of an application's deliveries.
 *
 * - idle: nothing is due before `dueAt`, as far as is known;
 * - looking: the circuit is asked and deliveries are claimed, one look at a time; a wake-up meanwhile sets `again`;
 * - full: `running` has reached its bound, and the next to finish looks again.
 */
interface Queue {
  running: number;
  looking: boolean;
  again: boolean;
  dueAt: number | null;
}

/** Attempts of all applications at a time in this process. */
const MAX_RUNNING = 256;
/** Beyond the time limits of an attempt, for what comes before and after it. */
const LEASE_SLACK_MS = 10_000;
/** Hints may be lost and processes may die; this often the database is asked what is due. */
const LOOK_EVERY_MS = 5_000;
const MAX_TIMER_MS = 2 ** 31 - 1;
const FINISH_WITHIN_MS = 3_000;
const CHANNEL = "due";
/** How long an application is left alone after its deliveries could not be claimed. */
const PAUSE_AFTER_ERROR_MS = 1_000;

/** What a dispatcher works with. */
export interface DispatcherParts {
  storage: Storage;
  coordination: Coordination;
  clock: Clock;
  config: Config;
  log: Logger;
  deliver: Deliver;
}

/**
 * Takes deliveries that are due and has them carried out: those of one application side by side up to its bound, the
 * applications beside each other. Wake-ups are hints; the database says what is due, and a lease there keeps others from
 * taking the same. While an application's circuit is open its deliveries are put off.
 */
export class Dispatcher {
  readonly #parts: DispatcherParts;
  readonly #queues = new Map<string, Queue>();
  /** Applications that had more to do than all together may run. */
  readonly #hungry = new Set<string>();
  readonly #claims = new Set<ClaimedDelivery>();
  readonly #stopping = new AbortController();
  readonly #lookTimer: NodeJS.Timeout;
  #dueTimer: NodeJS.Timeout | undefined;
  #running = 0;
  #closing = false;
  #idle = () => {};

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
    parts.coordination.subscribe(CHANNEL, (appId) => this.#wake(appId));
    this.#lookTimer = setInterval(() => void this.look(), LOOK_EVERY_MS);
    this.#lookTimer.unref();
  }

  /** Tells this process at once, and the others in case it is busy, that the application has something due. */
  due(appId: string): void {
    this.#wake(appId);
    this.#parts.coordination.publish(CHANNEL, appId);
  }

  /** Asks the database what is due, and sees to it. Never fails. */
  async look(): Promise<void> {
    const { storage, log } = this.#parts;
    try {
      for (const { appId, dueAt } of await listDueApps(storage.db)) this.#schedule(appId, dueAt);
    } catch (error) {
      log.warn({ err: error }, "what is due could not be read; tried again shortly");
    }
  }

  /** Takes nothing more, lets what is under way finish for a while, and gives the rest back. */
  async close(): Promise<void> {
    clearInterval(this.#lookTimer);
    clearTimeout(this.#dueTimer);
    this.#closing = true;
    if (this.#running > 0) {
      const finished = new Promise<void>((resolve) => {
        this.#idle = resolve;
      });
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, FINISH_WITHIN_MS);
      });
      await Promise.race([finished, late]);
      clearTimeout(timer);
      this.#stopping.abort();
      await finished;
    }
    const { storage, clock } = this.#parts;
    const left = [...this.#claims];
    if (left.length > 0) await storage.write((tx) => giveBackClaims(tx, left, clock.now()));
  }

  #wake(appId: string): void {
    if (this.#closing) return;
    const queue = this.#queueOf(appId);
    if (queue.looking) queue.again = true;
    else void this.#attend(appId, queue);
  }

  #queueOf(appId: string): Queue {
    const known = this.#queues.get(appId);
    if (known !== undefined) return known;
    const fresh: Queue = { running: 0, looking: false, again: false, dueAt: null };
    this.#queues.set(appId, fresh);
    return fresh;
  }

  /** Notes when the application has something due, and looks at it then. */
  #schedule(appId: string, dueAt: number | null): void {
    if (this.#closing) return;
    if (dueAt !== null && dueAt <= this.#parts.clock.now()) {
      this.#wake(appId);
      return;
    }
    this.#queueOf(appId).dueAt = dueAt;
    this.#setTimer();
  }

  #setTimer(): void {
    clearTimeout(this.#dueTimer);
    let next = Number.POSITIVE_INFINITY;
    for (const { dueAt } of this.#queues.values()) if (dueAt !== null) next = Math.min(next, dueAt);
    if (next === Number.POSITIVE_INFINITY) return;
    const delayMs = Math.min(Math.max(0, next - this.#parts.clock.now()), MAX_TIMER_MS);
    this.#dueTimer = setTimeout(() => this.#wakeDue(), delayMs);
    this.#dueTimer.unref();
  }

  #wakeDue(): void {
    const now = this.#parts.clock.now();
    for (const [appId, queue] of this.#queues) {
      if (queue.dueAt === null || queue.dueAt > now) continue;
      queue.dueAt = null;
      this.#wake(appId);
    }
    this.#setTimer();
  }

  /** Claims as long as something is due and there is room, then forgets the application if it has nothing at all. */
  async #attend(appId: string, queue: Queue): Promise<void> {
    queue.looking = true;
    try {
      do {
        queue.again = false;
        this.#schedule(appId, await this.#claim(appId, queue));
      } while (queue.again && !this.#closing);
    } catch (error) {
      this.#parts.log.warn({ err: error, appId }, "deliveries could not be claimed; tried again shortly");
      queue.dueAt = this.#parts.clock.now() + PAUSE_AFTER_ERROR_MS;
      this.#setTimer();
    } finally {
      queue.looking = false;
      if (queue.running === 0 && queue.dueAt === null) this.#queues.delete(appId);
    }
  }

  /** One look: claims what there is room for, and says when to look again; null: when something happens. */
  async #claim(appId: string, queue: Queue): Promise<number | null> {
    const { storage, coordination, clock, config } = this.#parts;
    const { concurrencyPerApp, connectTimeoutMs, readTimeoutMs } = config.webhook;
    const room = Math.min(concurrencyPerApp - queue.running, MAX_RUNNING - this.#running);
    if (room <= 0) {
      if (this.#running >= MAX_RUNNING) this.#hungry.add(appId);
      return null;
    }
    const now = clock.now();
    const passage = await coordination.circuits.enter(appId, now);
    if (passage.pass === "none") {
      await storage.write((tx) => deferDue(tx, appId, now, passage.until), laneOf(appId));
      return await nextDueAt(storage.db, appId);
    }
    const probe = passage.pass === "probe" ? passage.probe : null;
    const limit = probe === null ? room : 1;
    const leaseEnd = now + connectTimeoutMs + readTimeoutMs + LEASE_SLACK_MS;
    const { claimed, recipients } = await storage.write(
      async (tx) => ({
        claimed: await claimDue(tx, storage.dialect, { appId, limit, now, leaseEnd }),
        recipients: await readRecipients(tx, appId),
      }),
      laneOf(appId),
    );
    if (claimed.length === 0 && probe !== null) await coordination.circuits.giveBack(appId, probe, now);
    for (const delivery of claimed) void this.#run(appId, queue, delivery, recipients, probe);
    if (claimed.length === limit) {
      if (probe === null) queue.again ||= queue.running < concurrencyPerApp;
      return null;
    }
    return await nextDueAt(storage.db, appId);
  }

  async #run(
    appId: string,
    queue: Queue,
    delivery: ClaimedDelivery,
    recipients: Recipients,
    probe: string | null,
  ): Promise<void> {
    queue.running++;
    this.#running++;
    this.#claims.add(delivery);
    const { clock, coordination, deliver, log } = this.#parts;
    const { circuits } = coordination;
    try {
      const attempted = (result: AttemptResult) => this.#judge(appId, isSuccess(result), probe);
      const wasAttempted = await deliver(appId, delivery, recipients, attempted, this.#stopping.signal);
      if (!wasAttempted && probe !== null) await circuits.giveBack(appId, probe, clock.now());
      this.#claims.delete(delivery);
    } catch (error) {
      if (probe !== null) await giveBackProbe(circuits, appId, probe, clock.now());
      // What the stop breaks off is given back by it.
      if (!this.#stopping.signal.aborted) {
        this.#claims.delete(delivery);
        const { eventId } = delivery;
        log.warn(
          { err: error, eventId },
          "a delivery could not be carried through; taken up again when its lease ends",
        );
      }
    } finally {
      queue.running--;
      this.#running--;
      if (this.#running === 0) this.#idle();
      this.#wake(appId);
      const hungry = [...this.#hungry];
      this.#hungry.clear();
      for (const other of hungry) this.#wake(other);
    }
  }

  /** Counts an outcome for the circuit. Where that cannot be done, it is forgotten: the delivery matters more. */
  async #judge(appId: string, success: boolean, probe: string | null): Promise<void> {
    const { clock, coordination, log } = this.#parts;
    try {
      await coordination.circuits.record(appId, success, probe, clock.now());
    } catch (error) {
      log.warn(
        { reason: error instanceof Error ? error.message : error, appId },
        "an outcome was not counted for its circuit",
      );
    }
  }
}

/** Claims and results of one application go in transactions together. */
export function laneOf(appId: string): string {
  return `deliveries:${appId}`;
}

/** Any answer but 2xx counts against the circuit (design, section 7). */
function isSuccess({ status, reason }: AttemptResult): boolean {
  return reason === null && status !== null && status >= 200 && status < 300;
}

async function giveBackProbe(circuits: Circuits, appId: string, probe: string, now: number): Promise<void> {
  try {
    await circuits.giveBack(appId, probe, now);
  } catch {
    // Its lease ends by itself.
  }
}
