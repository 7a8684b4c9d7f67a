import type { Logger } from "pino";
import type { Clock } from "../../../platform/clock/clock.ts";
import type { Config } from "../../../platform/config/config.ts";
import type { Coordination } from "../../../platform/coordination/coordination.ts";
import type { Storage } from "../../../platform/storage/storage.ts";
import type { AttemptResult } from "../attempts/attempt.ts";
import { laneOf } from "../delivery-lane.ts";
import {
  type ClaimedDelivery,
  claimDue,
  giveBackClaims,
  listDueApps,
  nextDueAt,
  type Outcome,
} from "../delivery-store.ts";
import { getRecipients, type Recipients } from "../subscription-store.ts";
import { type AppQueue, type Claim, newQueue } from "./app-queue.ts";
import { CircuitReports } from "./circuit-reports.ts";
import type { Deliver } from "./deliver.ts";
import { DueTimer } from "./due-timer.ts";
import { Settlements } from "./settlements.ts";

/** Attempts of all applications at a time in this process. */
const MAX_ATTEMPTING = 256;
/** Beyond these, further applications may have so many each, so that a few slow receivers hold up nobody else. */
const SHARE = 2;
const MAX_SHARED = 256;
/** Claims in the hands of this process, in whatever stage; each holds its event's body. */
const MAX_CLAIMS = 1_024;
/** While attempts are swift, claims in hand are so many times as many as may be attempted at a time. */
const AHEAD_FACTOR = 4;
/** An attempt is swift when it succeeds within this time. */
const SWIFT_MS = 200;
/** From this age on, what was read of a claim's recipients is read again before it is attempted. */
const FRESH_MS = 20;
/** A claim that has waited its turn for so long is given back, so that its lease covers its attempt. */
const MAX_AHEAD_MS = 2_000;
/** Beyond the time limits of an attempt and the wait before it, for what comes before and after it. */
const LEASE_SLACK_MS = 15_000;
/** Hints may be lost and processes may die; this often the database is asked what is due. */
const LOOK_EVERY_MS = 5_000;
const FINISH_WITHIN_MS = 3_000;
/** On which processes tell each other that an application has something due. */
export const DUE = "due";
const CLOSED = "circuit-closed";
/** What is in hand first once a circuit has closed. */
const FIRST_PACE = 1;
/** Waiting applications that are looked after each time something ends. */
const WOKEN_AT_ONCE = 16;
/** What is due but held by another's transaction is looked for again after so long. */
const HELD_PAUSE_MS = 100;
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
  readonly #reports: CircuitReports;
  readonly #queues = new Map<string, AppQueue>();
  /** Applications whose claims wait for a place among all attempts; the one that waits longest comes first. */
  readonly #wantPlaces = new Set<string>();
  /** Applications that may claim only when others have fewer claims, in the same order. */
  readonly #wantClaims = new Set<string>();
  readonly #claims = new Set<ClaimedDelivery>();
  /** Claims that are being asked for. */
  #asked = 0;
  readonly #stopping = new AbortController();
  #lookTimer: NodeJS.Timeout | undefined;
  readonly #dueTimer: DueTimer;
  #attempting = 0;
  /** Looks, attempts with their recording, and returns of claims, all of which the stop waits for. */
  #underWay = 0;
  /** Until it starts, and from when it stops. */
  #closing = true;
  #idle = () => {};

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
    this.#settlements = new Settlements(parts.storage);
    this.#reports = new CircuitReports(parts);
    this.#dueTimer = new DueTimer(parts.clock, () => this.#wakeDue());
    parts.coordination.subscribe(DUE, (appId) => this.#wake(appId));
    parts.coordination.subscribe(CLOSED, (appId) => this.#circuitClosed(appId));
  }

  /** Begins to take what is due. What was due before is looked for at once. */
  start(): void {
    this.#closing = false;
    this.#lookTimer = setInterval(() => void this.look(), LOOK_EVERY_MS);
    this.#lookTimer.unref();
    void this.look();
  }

  /** Tells this process at once, and the others in case it is busy, that the application has something due. */
  due(appId: string): void {
    this.#wake(appId);
    this.#parts.coordination.publish(DUE, appId);
  }

  /** Asks the database what is due, and sees to it. Never fails. */
  async look(): Promise<void> {
    const { storage, log } = this.#parts;
    try {
      this.#reopen();
      for (const { appId, dueAt } of await listDueApps(storage.db)) this.#schedule(appId, dueAt);
      // What waits its turn for too long is found so, whatever else happens.
      for (const [appId, queue] of this.#queues) if (queue.ahead.length > 0) this.#attend(appId, queue);
    } catch (error) {
      log.warn({ err: error }, "what is due could not be read; tried again shortly");
    }
  }

  /** Takes nothing more, lets what is under way finish for a while, and gives the rest back. */
  async close(): Promise<void> {
    clearInterval(this.#lookTimer);
    this.#dueTimer.stop();
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
    for (const [appId, { ahead }] of this.#queues) {
      for (const { probe } of ahead) if (probe !== null) await this.#reports.returnProbe(appId, probe);
    }
    const left = [...this.#claims];
    const { storage, log } = this.#parts;
    try {
      if (left.length > 0) await storage.write((tx) => giveBackClaims(tx, left));
    } catch (error) {
      log.warn({ err: error }, "claims could not be given back; taken up again when their leases end");
    }
  }

  /** Looks again at circuits that seem to be shut for longer than any is: the clock was set back. */
  #reopen(): void {
    const { clock, config } = this.#parts;
    const latest = clock.now() + config.webhook.circuit.openForMs;
    for (const queue of this.#queues.values()) if (queue.closedUntil > latest) queue.closedUntil = 0;
  }

  #wake(appId: string): void {
    if (this.#closing) return;
    const queue = this.#queueOf(appId);
    queue.more = true;
    this.#attend(appId, queue);
  }

  #queueOf(appId: string): AppQueue {
    const known = this.#queues.get(appId);
    if (known !== undefined) return known;
    const fresh = newQueue(this.#parts.config.webhook.concurrencyPerApp);
    this.#queues.set(appId, fresh);
    return fresh;
  }

  /** Notes when the application has something due, and looks at it then. */
  #schedule(appId: string, dueAt: number | null): void {
    if (this.#closing || dueAt === null) return;
    const now = this.#parts.clock.now();
    const queue = this.#queueOf(appId);
    const at = Math.max(dueAt, queue.closedUntil);
    if (at <= now) {
      this.#wake(appId);
      return;
    }
    // Of two times to come the nearer one counts; the look then finds the other.
    if (queue.dueAt === null || queue.dueAt > at) queue.dueAt = at;
    this.#dueTimer.endBy(queue.dueAt);
  }

  #wakeDue(): void {
    const now = this.#parts.clock.now();
    let next = Number.POSITIVE_INFINITY;
    for (const [appId, queue] of this.#queues) {
      if (queue.dueAt !== null && queue.dueAt <= now) {
        queue.dueAt = queue.closedUntil > now ? queue.closedUntil : null;
        if (queue.dueAt === null) this.#wake(appId);
      }
      if (queue.dueAt !== null) next = Math.min(next, queue.dueAt);
    }
    if (next < Number.POSITIVE_INFINITY) this.#dueTimer.endBy(next);
  }

  /** Does what can be done for the application now: attempts what waits its turn, and claims more. */
  #attend(appId: string, queue: AppQueue): void {
    this.#launch(appId, queue);
    if (!queue.looking && queue.more && this.#roomFor(appId, queue) > 0) void this.#look(appId, queue);
    else this.#forget(appId, queue);
  }

  /** Claims as long as there is something due, and room for it. Never fails. */
  async #look(appId: string, queue: AppQueue): Promise<void> {
    queue.looking = true;
    this.#underWay++;
    try {
      for (let room = this.#roomFor(appId, queue); queue.more && room > 0; room = this.#roomFor(appId, queue)) {
        queue.more = false;
        // Reserved at once: others look at the same time.
        this.#asked += room;
        try {
          await this.#claim(appId, queue, room);
        } finally {
          this.#asked -= room;
        }
      }
    } catch (error) {
      this.#parts.log.warn({ err: error, appId }, "deliveries could not be claimed; tried again shortly");
      queue.more = false;
      this.#schedule(appId, this.#parts.clock.now() + PAUSE_AFTER_ERROR_MS);
    } finally {
      queue.looking = false;
      this.#end();
      // Others were refused what was reserved for it.
      this.#wakeWaiting();
      this.#forget(appId, queue);
    }
  }

  /** Drops what is known of an application that has nothing to do. */
  #forget(appId: string, { ahead, attempting, recording, looking, more, dueAt }: AppQueue): void {
    const busy = looking || more || ahead.length + attempting + recording > 0;
    if (!busy && dueAt === null) this.#queues.delete(appId);
  }

  /** The application's circuit lets everything through again, here or at another process. */
  #circuitClosed(appId: string): void {
    const queue = this.#queues.get(appId);
    if (queue === undefined) return;
    queue.closedUntil = 0;
    this.#wake(appId);
  }

  /**
   * How many deliveries to claim now: ahead of their turn only while that comes soon and keeps nobody else waiting. Where
   * all applications together leave no room, this one is woken when there is some.
   */
  #roomFor(appId: string, queue: AppQueue): number {
    const { ahead, attempting, recording, swift, pace, closedUntil } = queue;
    if (this.#closing || closedUntil > this.#parts.clock.now()) return 0;
    const { concurrencyPerApp } = this.#parts.config.webhook;
    const inHand = ahead.length + attempting + recording;
    const claims = MAX_CLAIMS - this.#claims.size - this.#asked;
    const places = this.#placesFor(queue) - ahead.length;
    const isAlone = this.#wantPlaces.size + this.#wantClaims.size === 0;
    if (claims <= 0 || places <= 0) {
      if (claims <= 0 || this.#placesFor(queue) === 0) this.#wantClaims.add(appId);
      return 0;
    }
    if (swift && isAlone && pace >= concurrencyPerApp) {
      // Many at a time rather than one for each that ends.
      return ahead.length > concurrencyPerApp ? 0 : Math.min(AHEAD_FACTOR * concurrencyPerApp - inHand, claims);
    }
    const room = Math.min(concurrencyPerApp - inHand, pace - inHand, places, claims);
    // Whoever may turn out to hang does not take what others could be served with.
    const isScarce = this.#claims.size + this.#asked >= MAX_ATTEMPTING;
    return isScarce ? Math.min(room, SHARE - inHand) : room;
  }

  /** How many more attempts of the application may begin now, as far as all attempts together are concerned. */
  #placesFor({ attempting }: AppQueue): number {
    const free = MAX_ATTEMPTING - this.#attempting;
    if (free > 0) return free;
    return Math.max(0, Math.min(SHARE - attempting, MAX_SHARED + free));
  }

  /** One look: claims up to `room` deliveries and has them attempted, or puts them off if the circuit is open. */
  async #claim(appId: string, queue: AppQueue, room: number): Promise<void> {
    const { storage, coordination, clock, config } = this.#parts;
    const { connectTimeoutMs, readTimeoutMs } = config.webhook;
    const passage = await coordination.circuits.enter(appId, clock.now());
    const now = clock.now();
    if (passage.pass === "none") {
      // Nothing is written: what is due stays due, uses no retry, and is held back here.
      queue.closedUntil = passage.until;
      queue.pace = FIRST_PACE;
      this.#schedule(appId, passage.until);
      return;
    }
    const probe = passage.pass === "probe" ? passage.probe : null;
    // Nothing goes out beside the probe.
    if (probe !== null) queue.pace = FIRST_PACE;
    const limit = probe === null ? room : 1;
    const leaseEnd = now + MAX_AHEAD_MS + connectTimeoutMs + readTimeoutMs + LEASE_SLACK_MS;
    const readAt = performance.now();
    let claimed: ClaimedDelivery[] = [];
    let recipients: Recipients;
    try {
      [claimed, recipients] = await storage.write(
        async (tx) => [
          await claimDue(tx, storage.dialect, { appId, limit, now, leaseEnd }),
          await getRecipients(tx, appId),
        ],
        laneOf(appId),
      );
    } finally {
      if (claimed.length === 0 && probe !== null) await this.#reports.returnProbe(appId, probe);
    }
    // From here on: a database that is slow is no reason to give back what it has just handed out.
    const claimedAt = performance.now();
    for (const delivery of claimed) {
      this.#claims.add(delivery);
      queue.ahead.push({ delivery, claimedAt, recipients, readAt, probe });
    }
    this.#launch(appId, queue);
    // What an open circuit lets through besides its probe is nothing, until that is over.
    if (claimed.length === limit) {
      queue.more ||= probe === null;
      return;
    }
    const next = await nextDueAt(storage.db, appId);
    const isHeld = claimed.length === 0 && next !== null && next <= now;
    this.#schedule(appId, isHeld ? clock.now() + HELD_PAUSE_MS : next);
  }

  /** Has claims attempted that wait their turn, as far as the bounds allow. */
  #launch(appId: string, queue: AppQueue): void {
    const { concurrencyPerApp } = this.#parts.config.webhook;
    const [next] = queue.ahead;
    if (next === undefined || this.#closing) return;
    if (performance.now() - next.claimedAt > MAX_AHEAD_MS) {
      void this.#giveBackAhead(appId, queue);
      return;
    }
    while (queue.attempting < concurrencyPerApp && this.#placesFor(queue) > 0) {
      const claim = queue.ahead.shift();
      if (claim === undefined) return;
      void this.#run(appId, queue, claim);
    }
    if (queue.ahead.length > 0 && queue.attempting < concurrencyPerApp) this.#wantPlaces.add(appId);
  }

  /** Gives back what waits its turn: the circuit has opened, or the turn does not come. Never fails. */
  async #giveBackAhead(appId: string, queue: AppQueue): Promise<void> {
    const claims = queue.ahead.splice(0);
    if (claims.length === 0) return;
    const { storage, log } = this.#parts;
    queue.swift = false;
    queue.recording += claims.length;
    this.#underWay++;
    const deliveries = claims.map(({ delivery }) => delivery);
    try {
      await storage.write((tx) => giveBackClaims(tx, deliveries), laneOf(appId));
    } catch (error) {
      log.warn({ err: error, appId }, "claims could not be given back; taken up again when their leases end");
    }
    for (const { probe } of claims) if (probe !== null) await this.#giveBackProbe(appId, queue, probe);
    for (const delivery of deliveries) this.#claims.delete(delivery);
    queue.recording -= claims.length;
    this.#end();
    this.#wakeWaiting();
    this.#wake(appId);
  }

  /** Has a claim attempted, and what comes of it recorded. Never fails. */
  async #run(appId: string, queue: AppQueue, claim: Claim): Promise<void> {
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
      if ("result" in outcome) this.#schedule(appId, outcome.verdict.dueAt);
      else if ("postponedTo" in outcome) this.#schedule(appId, outcome.postponedTo);
    } catch (error) {
      if (attempting && probe !== null) await this.#giveBackProbe(appId, queue, probe);
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
      this.#end();
      this.#wakeWaiting();
      this.#attend(appId, queue);
    }
  }

  async #attempt(appId: string, queue: AppQueue, claim: Claim): Promise<Outcome> {
    const { delivery, probe } = claim;
    const recipients = () => this.#recipientsOf(appId, claim);
    const outcome = await this.#parts.deliver(appId, delivery, recipients, this.#stopping.signal);
    if ("result" in outcome) await this.#judge(appId, queue, outcome.result, probe);
    else if (probe !== null) await this.#giveBackProbe(appId, queue, probe);
    return outcome;
  }

  /** Whom the claim goes to, as it is now. */
  async #recipientsOf(appId: string, claim: Claim): Promise<Recipients> {
    if (performance.now() - claim.readAt > FRESH_MS) {
      const readAt = performance.now();
      claim.recipients = await getRecipients(this.#parts.storage.db, appId);
      claim.readAt = readAt;
    }
    return claim.recipients;
  }

  /** Draws from an attempt what it means for those that follow. */
  async #judge(appId: string, queue: AppQueue, result: AttemptResult, probe: string | null): Promise<void> {
    const { concurrencyPerApp } = this.#parts.config.webhook;
    const success = isSuccess(result);
    const passes = await this.#reports.record(appId, success, probe);
    queue.swift = success && result.durationMs <= SWIFT_MS;
    if (success) queue.pace = Math.min(queue.pace + 1, concurrencyPerApp);
    if (passes === false) {
      void this.#giveBackAhead(appId, queue);
    } else if (probe !== null && passes) {
      queue.closedUntil = 0;
      queue.pace = FIRST_PACE;
      this.#parts.coordination.publish(CLOSED, appId);
    }
    // A probe that was claimed said nothing of what else is due.
    if (probe !== null) queue.more = true;
  }

  /** Gives a place among the attempts to the next: of those who wait for one first. */
  #free(appId: string, queue: AppQueue): void {
    queue.attempting--;
    this.#attempting--;
    this.#wakeWaiting();
    this.#attend(appId, queue);
  }

  /** Looks after some of the applications that wait for others; who still has to wait comes last from then on. */
  #wakeWaiting(): void {
    for (const waiting of [this.#wantPlaces, this.#wantClaims]) {
      let left = Math.min(waiting.size, WOKEN_AT_ONCE);
      for (const appId of waiting) {
        if (left-- === 0 || this.#attempting >= MAX_ATTEMPTING + MAX_SHARED) break;
        waiting.delete(appId);
        const queue = this.#queues.get(appId);
        if (queue !== undefined) this.#attend(appId, queue);
      }
    }
  }

  /** Something that the stop waits for has come to its end. */
  #end(): void {
    this.#underWay--;
    if (this.#underWay === 0) this.#idle();
  }

  /** Gives back a probe that said nothing of the receiver: the next delivery is one, here or elsewhere. */
  async #giveBackProbe(appId: string, queue: AppQueue, probe: string): Promise<void> {
    await this.#reports.returnProbe(appId, probe);
    queue.closedUntil = 0;
    queue.more = true;
    this.#parts.coordination.publish(CLOSED, appId);
  }
}

/** Any answer but 2xx counts against the circuit (docs/contract/events.md#the-circuit). */
function isSuccess({ status, reason }: AttemptResult): boolean {
  return reason === null && status !== null && status >= 200 && status < 300;
}
