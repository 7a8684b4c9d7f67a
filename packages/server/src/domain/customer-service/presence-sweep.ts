import type { Logger } from "pino";
import type { Clock } from "../../platform/clock/clock.ts";
import type { Storage } from "../../platform/storage/storage.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import { recordAbsence } from "./agent-presence.ts";
import { listFreeAgents } from "./agent-store.ts";
import { atDesk } from "./at-desk.ts";
import type { DeskHub } from "./desk-hub.ts";
import { listAbandonedSessions, listOverdueAgents, listWaitingApps } from "./presence-store.ts";
import { findSession, type SessionRow } from "./session-store.ts";

/** The dependencies of the sweep. */
interface Parts {
  storage: Storage;
  clock: Clock;
  log: Logger;
  webhooks: Webhooks;
  deskLive: DeskHub;
}

const EVERY_MS = 5_000;

/**
 * Maintains the desks of all applications every 5 s: detects agents who have left, returns the sessions of those who
 * stay away, and continues stalled queues. Every process runs it; each finding is checked again under the desk's lock.
 */
export class PresenceSweep {
  readonly #parts: Parts;
  readonly #timer: NodeJS.Timeout;
  readonly #unlisten: () => void;
  readonly #draining = new Map<string, Promise<void>>();
  #running: Promise<void> | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#timer = setInterval(() => void this.run(), EVERY_MS);
    this.#timer.unref();
    this.#unlisten = parts.deskLive.listen((appId, { type }) => {
      if (type === "recheck") void this.#drainSoon(appId);
    });
  }

  /** Runs one round; never rejects. Does nothing while a round is in progress. */
  run(): Promise<void> {
    this.#running ??= this.#sweep().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#unlisten();
    await this.#running;
    await Promise.all(this.#draining.values());
  }

  async #sweep(): Promise<void> {
    await this.#attempt(() => this.#recordAbsences());
    await this.#attempt(() => this.#requeueAbandoned());
    await this.#attempt(() => this.#drainWaiting());
  }

  async #recordAbsences(): Promise<void> {
    const { storage, clock } = this.#parts;
    const agents = Map.groupBy(await listOverdueAgents(storage.db, clock.now()), ({ appId }) => appId);
    for (const [appId, absent] of agents) {
      await this.#attempt(() =>
        atDesk(this.#parts, appId, async (desk, tx) => {
          for (const key of absent) await recordAbsence(desk, tx, key, clock.now());
        }),
      );
    }
  }

  async #requeueAbandoned(): Promise<void> {
    const { storage, clock } = this.#parts;
    const abandoned = await listAbandonedSessions(storage.db, clock.now());
    for (const appId of new Set(abandoned.map((session) => session.appId))) {
      await this.#attempt(() =>
        atDesk(this.#parts, appId, async (desk, tx) => {
          await desk.lock();
          const sessions: SessionRow[] = [];
          for (const { sessionId } of await listAbandonedSessions(tx, clock.now(), appId)) {
            const session = await findSession(tx, appId, sessionId);
            if (session !== null) sessions.push(session);
          }
          await desk.requeue(sessions);
        }),
      );
    }
  }

  async #drainWaiting(): Promise<void> {
    const { storage, clock } = this.#parts;
    const now = clock.now();
    for (const appId of await listWaitingApps(storage.db, now)) {
      if ((await listFreeAgents(storage.db, appId, now)).length > 0) await this.#drainSoon(appId);
    }
  }

  /** Continues a queue; runs once at a time per application. Never rejects. */
  async #drainSoon(appId: string): Promise<void> {
    const before = this.#draining.get(appId);
    // The current run may have passed this point already; if there is more to do, it sends its own notification.
    if (before !== undefined) return before;
    const draining = this.#attempt(() => atDesk(this.#parts, appId, (desk) => desk.drain()));
    this.#draining.set(appId, draining);
    await draining;
    this.#draining.delete(appId);
  }

  async #attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#parts.log.warn(
        { err: error },
        "the presence of agents could not be maintained; tried again in a few seconds",
      );
    }
  }
}
