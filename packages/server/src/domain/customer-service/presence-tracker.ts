import type { Logger } from "pino";
import type { Clock } from "../../platform/clock/clock.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { Storage } from "../../platform/storage/storage.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import { recordArrival } from "./agent-presence.ts";
import { atDesk } from "./at-desk.ts";
import type { DeskHub } from "./desk-hub.ts";
import { type AgentKey, listAgentKeys, renewPresence } from "./presence-store.ts";
import { noteVisitorsSeen } from "./visitor-store.ts";

/** The dependencies of recording heartbeats. */
interface Parts {
  storage: Storage;
  clock: Clock;
  log: Logger;
  webhooks: Webhooks;
  deskLive: DeskHub;
}

/** The minimum interval between two writes of one heartbeat. */
const WRITE_EVERY_MS = 15_000;
const TICK_MS = 1_000;
const CHUNK = 500;

/** The heartbeats of agents or of visitors: when each was last written, and which must be written next. */
class Heartbeats {
  readonly #writtenAt = new Map<string, number>();
  #due = new Set<string>();

  /** @returns whether this is the first heartbeat in a while. */
  record(id: string, now: number): boolean {
    const writtenAt = this.#writtenAt.get(id);
    // The clock may have been set back.
    if (writtenAt !== undefined && Math.abs(now - writtenAt) < WRITE_EVERY_MS) return false;
    this.#due.add(id);
    return writtenAt === undefined;
  }

  forget(id: string): void {
    this.#writtenAt.delete(id);
  }

  /** The ids to write now, always in the same order (prevents deadlocks); they count as written. */
  take(now: number): string[] {
    const ids = [...this.#due].sort();
    this.#due = new Set();
    for (const [id, writtenAt] of this.#writtenAt) {
      if (Math.abs(now - writtenAt) >= WRITE_EVERY_MS) this.#writtenAt.delete(id);
    }
    for (const id of ids) this.#writtenAt.set(id, now);
    return ids;
  }
}

/**
 * Records the heartbeats of agents and visitors from the streams of this process. They are written in batches, each at
 * most every 15 s; the first one after an absence is written at once. Of several processes the latest heartbeat counts.
 */
export class PresenceTracker {
  readonly #parts: Parts;
  readonly #agents = new Heartbeats();
  readonly #visitors = new Heartbeats();
  readonly #timer: NodeJS.Timeout;
  #flushing: Promise<void> | null = null;
  #again = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#timer = setInterval(() => void this.flush(), TICK_MS);
    this.#timer.unref();
  }

  /** Records a heartbeat of a member who may be an agent. */
  agent(userId: string): void {
    if (this.#agents.record(userId, this.#parts.clock.now())) void this.flush();
  }

  /** The same for a member who has just become an agent of a further application. */
  newAgent(userId: string): void {
    this.#agents.forget(userId);
    this.agent(userId);
  }

  visitor(visitorId: string): void {
    if (this.#visitors.record(visitorId, this.#parts.clock.now())) void this.flush();
  }

  /** Writes what is pending. Never rejects: after a failure, the next heartbeat is written as usual. */
  async flush(): Promise<void> {
    this.#again = true;
    this.#flushing ??= this.#flushAll().finally(() => {
      this.#flushing = null;
    });
    await this.#flushing;
    // A heartbeat recorded while this run was ending was not written by it.
    if (this.#again) await this.flush();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#flushing;
  }

  async #flushAll(): Promise<void> {
    while (this.#again) {
      // Lets all heartbeats of the same turn of the event loop join this batch.
      await Promise.resolve();
      this.#again = false;
      const now = this.#parts.clock.now();
      await this.#attempt(this.#agents.take(now), (userIds) => this.#writeAgents(userIds));
      await this.#attempt(this.#visitors.take(now), (visitorIds) => this.#writeVisitors(visitorIds));
    }
  }

  async #attempt(ids: string[], write: (ids: string[]) => Promise<void>): Promise<void> {
    for (let from = 0; from < ids.length; from += CHUNK) {
      await write(ids.slice(from, from + CHUNK)).catch((error: unknown) => {
        this.#parts.log.warn({ err: error }, "heartbeats could not be written");
      });
    }
  }

  async #writeAgents(userIds: string[]): Promise<void> {
    const { storage, clock } = this.#parts;
    const agents = await listAgentKeys(storage.db, userIds);
    if (agents.length === 0) return;
    const away = await storage.write(async (tx: Db) => {
      const away: AgentKey[] = [];
      for (const key of agents) if (!(await renewPresence(tx, key, clock.now()))) away.push(key);
      return away;
    });
    for (const key of away) {
      await atDesk(this.#parts, key.appId, (desk, tx) => recordArrival(desk, tx, key, clock.now()));
    }
  }

  async #writeVisitors(visitorIds: string[]): Promise<void> {
    const { storage, clock } = this.#parts;
    await storage.write((tx) => noteVisitorsSeen(tx, storage.dialect, visitorIds, clock.now()));
  }
}
