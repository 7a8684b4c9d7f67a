import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import type { Config } from "../config/config.ts";
import type { Coordination } from "../coordination/coordination.ts";
import type { Storage } from "../storage/storage.ts";
import type { AttemptResult } from "./attempt.ts";
import type { Deliver } from "./deliver.ts";
import { laneOf } from "./delivery-lane.ts";
import {
  type ClaimedDelivery,
  claimDue,
  deferDue,
  giveBackClaims,
  listDueApps,
  nextDueAt,
  type Outcome,
} from "./delivery-store.ts";
import { Settlements } from "./settlements.ts";
import { type Recipients, readRecipients } from "./subscription-store.ts";

/**
 * What this process knows and holds of an application's deliveries. Each claim goes through three stages: it waits its
 * turn in `ahead`, is attempted, and is recorded while the next is attempted already.
 */
interface Queue {
  /** Claimed, to be attempted next. */
  ahead: Claim[];
  attempting: number;
  recording: number;
  /** Whether deliveries are being claimed: one look at a time. */
  looking: boolean;
  /** Whether there may be something due that nobody has claimed. */
  more: boolean;
  /** When something is known to be due next. */
  dueAt: number | null;
  /** Whether the last attempt succeeded at once, so that what is claimed ahead will not wait long. */
  swift: boolean;
}

/** A delivery in this process's hands. */
interface Claim {
  delivery: ClaimedDelivery;
  /** Whom it goes to. */
  recipients: Recipients;
  /** When it was claimed and they were read, on the clock of `performance.now()`. */
  readAt: number;
  /** The circuit's token when this is its probe. */
  probe: string | null;
}

/** Attempts of all applications at a time in this process. */
const MAX_ATTEMPTING = 256;
/** Claims in the hands of this process, in whatever stage; each holds its event's body. */
const MAX_CLAIMS = 1_024;
/** While attempts are swift, claims in hand are so many times as many as may be attempted at a time. */
const AHEAD_FACTOR = 4;
/** An attempt is swift when it succeeds within this time. */
const SWIFT_MS = 200;
/** From this age on, what was read of a claim's recipients is read again before it is attempted. */
const FRESH_MS = 50;
/** A claim that has waited its turn for so long is given back, so that its lease covers its attempt. */
const MAX_AHEAD_MS = 2_000;
/** Beyond the time limits of an attempt and the wait before it, for what comes before and after it. */
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
  readonly #settlements: Settlements;
  readonly #queues = new Map<string, Queue>();
  /** Applications that have more to do than all together may attempt; the one that waits longest comes first. */
  readonly #hungry = new Set<string>();
  readonly #claims = new Set<ClaimedDelivery>();
  readonly #stopping = new AbortController();
  readonly #lookTimer: NodeJS.Timeout;
  #dueTimer: NodeJS.Timeout | undefined;
  #attempting = 0;
  /** Looks, attempts with their recording, and returns of claims, all of which the stop waits for. */
  #underWay = 0;
  #closing = false;
  #idle = () => {};

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
    this.#settlements = new Settlements(parts.storage);
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
    if (this.#underWay > 0) {
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
    const left = [...this.#claims];
    if (left.length > 0) await this.#parts.storage.write((tx) => giveBackClaims(tx, left));
  }

  #wake(appId: string): void {
    if (this.#closing) return;
    const queue = this.#queueOf(appId);
    queue.more = true;
    this.#attend(appId, queue);
  }

  #queueOf(appId: string): Queue {
    const known = this.#queues.get(appId);
    if (known !== undefined) return known;
    const fresh: Queue = {
      ahead: [],
      attempting: 0,
      recording: 0,
      looking: false,
      more: false,
      dueAt: null,
      swift: false,
    };
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

  /** Does what can be done for the application now: attempts what waits its turn, and claims more. */
  #attend(appId: string, queue: Queue): void {
    this.#launch(appId, queue);
    if (!queue.looking && queue.more && this.#roomFor(appId, queue) > 0) void this.#look(appId, queue);
    else this.#forget(appId, queue);
  }

  /** Claims as long as there is something due, and room for it. Never fails. */
  async #look(appId: string, queue: Queue): Promise<void> {
    queue.looking = true;
    this.#underWay++;
    try {
      for (let room = this.#roomFor(appId, queue); queue.more && room > 0; room = this.#roomFor(appId, queue)) {
        await this.#claim(appId, queue, room);
      }
    } catch (error) {
      this.#parts.log.warn({ err: error, appId }, "deliveries could not be claimed; tried again shortly");
      queue.more = false;
      queue.dueAt = this.#parts.clock.now() + PAUSE_AFTER_ERROR_MS;
      this.#setTimer();
    } finally {
      queue.looking = false;
      this.#end();
      this.#forget(appId, queue);
    }
  }

  /** Drops what is known of an application that has nothing to do. */
  #forget(appId: string, { ahead, attempting, recording, looking, more, dueAt }: Queue): void {
    const busy = looking || more || ahead.length + attempting + recording > 0;
    if (!busy && dueAt === null) this.#queues.delete(appId);
  }

  /**
   * How many deliveries to claim now: ahead of their turn only while that comes soon and keeps nobody else waiting. Where
   * all applications together leave no room, this one is woken when there is some.
   */
  #roomFor(appId: string, { ahead, attempting, recording, swift }: Queue): number {
    if (this.#closing) return 0;
    const { concurrencyPerApp } = this.#parts.config.webhook;
    const inHand = ahead.length + attempting + recording;
    const claims = MAX_CLAIMS - this.#claims.size;
    const attempts = MAX_ATTEMPTING - this.#attempting;
    if (claims <= 0 || attempts <= 0) {
      this.#hungry.add(appId);
      return 0;
    }
    if (!swift || this.#hungry.size > 0) return Math.min(concurrencyPerApp - inHand, attempts, claims);
    // Many at a time rather than one for each that ends.
    return ahead.length > concurrencyPerApp ? 0 : Math.min(AHEAD_FACTOR * concurrencyPerApp - inHand, claims);
  }

  /** One look: claims up to `room` deliveries and has them attempted, or puts them off if the circuit is open. */
  async #claim(appId: string, queue: Queue, room: number): Promise<void> {
    const { storage, coordination, clock, config } = this.#parts;
    const { connectTimeoutMs, readTimeoutMs } = config.webhook;
    queue.more = false;
    const now = clock.now();
    const passage = await coordination.circuits.enter(appId, now);
    if (passage.pass === "none") {
      await storage.write((tx) => deferDue(tx, appId, now, passage.until), laneOf(appId));
      this.#schedule(appId, await nextDueAt(storage.db, appId));
      return;
    }
    const probe = passage.pass === "probe" ? passage.probe : null;
    const limit = probe === null ? room : 1;
    const leaseEnd = now + MAX_AHEAD_MS + connectTimeoutMs + readTimeoutMs + LEASE_SLACK_MS;
    const readAt = performance.now();
    const { claimed, recipients } = await storage.write(
      async (tx) => ({
        claimed: await claimDue(tx, storage.dialect, { appId, limit, now, leaseEnd }),
        recipients: await readRecipients(tx, appId),
      }),
      laneOf(appId),
    );
    if (claimed.length === 0 && probe !== null) await coordination.circuits.giveBack(appId, probe, now);
    for (const delivery of claimed) {
      this.#claims.add(delivery);
      queue.ahead.push({ delivery, recipients, readAt, probe });
    }
    this.#launch(appId, queue);
    // What an open circuit lets through besides its probe is nothing, until that is over.
    if (claimed.length === limit) queue.more ||= probe === null;
    else this.#schedule(appId, await nextDueAt(storage.db, appId));
  }

  /** Has claims attempted that wait their turn, as far as the bounds allow. */
  #launch(appId: string, queue: Queue): void {
    const { concurrencyPerApp } = this.#parts.config.webhook;
    const [next] = queue.ahead;
    if (next === undefined || this.#closing) return;
    if (performance.now() - next.readAt > MAX_AHEAD_MS) {
      void this.#giveBackAhead(appId, queue);
      return;
    }
    while (queue.attempting < concurrencyPerApp && this.#attempting < MAX_ATTEMPTING) {
      const claim = queue.ahead.shift();
      if (claim === undefined) return;
      void this.#run(appId, queue, claim);
    }
    if (this.#attempting >= MAX_ATTEMPTING) this.#hungry.add(appId);
  }

  /** Gives back what waits its turn: the circuit has opened, or the turn does not come. Never fails. */
  async #giveBackAhead(appId: string, queue: Queue): Promise<void> {
    const claims = queue.ahead.splice(0);
    if (claims.length === 0) return;
    const { storage, log } = this.#parts;
    queue.swift = false;
    queue.recording += claims.length;
    this.#underWay++;
    const deliveries = claims.map(({ delivery }) => delivery);
    try {
      await storage.write((tx) => giveBackClaims(tx, deliveries), laneOf(appId));
      for (const { probe } of claims) if (probe !== null) await this.#giveBackProbe(appId, probe);
    } catch (error) {
      log.warn({ err: error, appId }, "claims could not be given back; taken up again when their leases end");
    }
    for (const delivery of deliveries) this.#claims.delete(delivery);
    queue.recording -= claims.length;
    this.#end();
    this.#wake(appId);
  }

  /** Has a claim attempted, and what comes of it recorded. Never fails. */
  async #run(appId: string, queue: Queue, claim: Claim): Promise<void> {
    const { delivery, probe } = claim;
    queue.attempting++;
    this.#attempting++;
    this.#underWay++;
    let attempting = true;
    try {
      const outcome = await this.#attempt(appId, queue, claim);
      queue.recording++;
      attempting = false;
      this.#free(appId, queue);
      await this.#settlements.settle(appId, { delivery, outcome });
      this.#claims.delete(delivery);
    } catch (error) {
      if (attempting && probe !== null) await this.#giveBackProbe(appId, probe);
      // What the stop breaks off is given back by it.
      if (!this.#stopping.signal.aborted) {
        this.#claims.delete(delivery);
        const { eventId } = delivery;
        this.#parts.log.warn(
          { err: error, eventId },
          "a delivery could not be carried through; taken up again when its lease ends",
        );
      }
    } finally {
      if (attempting) this.#free(appId, queue);
      else queue.recording--;
      if (probe !== null) queue.more = true;
      this.#end();
      this.#wakeHungry();
      this.#attend(appId, queue);
    }
  }

  async #attempt(appId: string, queue: Queue, { delivery, recipients, readAt, probe }: Claim): Promise<Outcome> {
    const { storage, deliver } = this.#parts;
    const isFresh = performance.now() - readAt <= FRESH_MS;
    const current = isFresh ? recipients : await readRecipients(storage.db, appId);
    const outcome = await deliver(delivery, current, this.#stopping.signal);
    if ("dropped" in outcome) {
      if (probe !== null) await this.#giveBackProbe(appId, probe);
      return outcome;
    }
    const { result } = outcome;
    const success = isSuccess(result);
    queue.swift = success && result.durationMs <= SWIFT_MS;
    if (!(await this.#judge(appId, success, probe))) void this.#giveBackAhead(appId, queue);
    return outcome;
  }

  /** Gives a place among the attempts to the next: of the application itself, unless others wait for one. */
  #free(appId: string, queue: Queue): void {
    queue.attempting--;
    this.#attempting--;
    if (this.#hungry.size === 0) {
      this.#attend(appId, queue);
    } else {
      if (queue.ahead.length > 0) this.#hungry.add(appId);
      this.#wakeHungry();
    }
  }

  /** Wakes applications that wait for room, as long as there is some. */
  #wakeHungry(): void {
    for (const appId of [...this.#hungry]) {
      if (this.#attempting >= MAX_ATTEMPTING || this.#claims.size >= MAX_CLAIMS) return;
      this.#hungry.delete(appId);
      this.#wake(appId);
    }
  }

  /** Something that the stop waits for has come to its end. */
  #end(): void {
    this.#underWay--;
    if (this.#underWay === 0) this.#idle();
  }

  /**
   * Counts an outcome for the circuit. Where that cannot be done, it is forgotten: the delivery matters more.
   *
   * @returns whether the circuit lets everything through, as far as is known.
   */
  async #judge(appId: string, success: boolean, probe: string | null): Promise<boolean> {
    const { clock, coordination, log } = this.#parts;
    try {
      return await coordination.circuits.record(appId, success, probe, clock.now());
    } catch (error) {
      log.warn(
        { reason: error instanceof Error ? error.message : error, appId },
        "an outcome was not counted for its circuit",
      );
      return true;
    }
  }

  async #giveBackProbe(appId: string, probe: string): Promise<void> {
    const { clock, coordination } = this.#parts;
    try {
      await coordination.circuits.giveBack(appId, probe, clock.now());
    } catch {
      // Its lease ends by itself.
    }
  }
}

/** Any answer but 2xx counts against the circuit (design, section 7). */
function isSuccess({ status, reason }: AttemptResult): boolean {
  return reason === null && status !== null && status >= 200 && status < 300;
}
