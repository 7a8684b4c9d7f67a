import type { AgentState, AgentStatus, CustomerMessage, CustomerSession, SessionChange } from "@portico/protocol";
import type { Clock } from "../../platform/clock/clock.ts";
import { prepared } from "../../platform/storage/prepared.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { Storage } from "../../platform/storage/storage.ts";
import { emit } from "../webhooks/outbox.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import { listFreeAgents } from "./agent-store.ts";
import type { DeskHub } from "./desk-hub.ts";
import type { DeskLive } from "./desk-live.ts";
import {
  assignSession,
  endSession,
  findOpenSession,
  findSession,
  insertRating,
  insertSession,
  listSessions,
  requeueSession,
  type SessionRow,
  toSession,
} from "./session-store.ts";

/** What working at a desk needs. */
export interface DeskParts {
  webhooks: Webhooks;
  deskLive: DeskHub;
  storage: Storage;
  clock: Clock;
}

/** Whom a desk tells. */
export interface DeskListeners {
  webhooks: { due(appId: string): void };
  deskLive: DeskLive;
}

/**
 * One application's customer service within one transaction. Whoever opens, assigns or closes sessions does it here, under
 * the lock of the application's desk: so the queue keeps its order, nobody gets more than they may have, and of many who
 * race one wins.
 *
 * Each fact is told as an event in its transaction; `afterCommit` takes what is done once it is on disk.
 */
export class Desk {
  readonly #ctx: DeskListeners;
  readonly #tx: Db;
  readonly #appId: string;
  readonly #now: number;
  readonly #afterCommit: (effect: () => void) => void;
  #isLocked = false;

  /** @param place.now epoch milliseconds. */
  constructor(
    ctx: DeskListeners,
    tx: Db,
    place: { appId: string; now: number; afterCommit: (effect: () => void) => void },
  ) {
    this.#ctx = ctx;
    this.#tx = tx;
    this.#appId = place.appId;
    this.#now = place.now;
    this.#afterCommit = place.afterCommit;
  }

  /** Keeps everybody else from the application's sessions until the transaction ends; comes before all other locks. */
  async lock(): Promise<void> {
    if (this.#isLocked) return;
    this.#isLocked = true;
    const params = { appId: this.#appId };
    if ((await lockDesk.affected(this.#tx, params)) === 1) return;
    await insertDesk.affected(this.#tx, params);
    await lockDesk.affected(this.#tx, params);
  }

  /**
   * The visitor's open session, or a new one: given to the agent who is named, else to whoever is free, else queued.
   *
   * @returns with whether it was open already.
   */
  async open(
    visitorId: string,
    { source, subject, agentUserId = null }: { source: string; subject: string; agentUserId?: string | null },
  ): Promise<{ session: SessionRow; isExisting: boolean }> {
    await this.lock();
    const open = await findOpenSession(this.#tx, visitorId);
    if (open !== null) return { session: open, isExisting: true };
    const now = this.#now;
    const sessionId = await insertSession(this.#tx, { appId: this.#appId, visitorId, source, subject, now });
    if (sessionId === null) throw new Error("a session was opened beside the desk's lock");
    await this.#tell(await this.#session(sessionId), "created", null);
    if (agentUserId === null) await this.drain();
    else await this.assign(await this.#session(sessionId), agentUserId);
    return { session: await this.#session(sessionId), isExisting: false };
  }

  /** Gives an open session to an agent, whether online or not; nothing happens when they have it. */
  async assign(session: SessionRow, agentUserId: string): Promise<SessionRow> {
    await this.lock();
    if (session.status === "ACTIVE" && session.agentUserId === agentUserId) return session;
    if (!(await assignSession(this.#tx, session.sessionId, agentUserId, this.#now))) {
      throw new Error("a session was closed beside the desk's lock");
    }
    const assigned = await this.#session(session.sessionId);
    await this.#tell(assigned, session.status === "ACTIVE" ? "transferred" : "assigned", session.agentId);
    // Whoever had it has room now.
    if (session.status === "ACTIVE") await this.drain();
    return assigned;
  }

  /** Gives an open session to the free agent with the fewest sessions other than the one who has it; null when there is none. */
  async assignToAnyone(session: SessionRow): Promise<SessionRow | null> {
    await this.lock();
    const free = await listFreeAgents(this.#tx, this.#appId, this.#now);
    const agent = free.find(({ userId }) => userId !== session.agentUserId);
    return agent === undefined ? null : await this.assign(session, agent.userId);
  }

  /** Closes an open session; nothing happens when it is closed. */
  async close(session: SessionRow, by: string, reason: string | null = null): Promise<SessionRow> {
    await this.lock();
    const now = this.#now;
    if (!(await endSession(this.#tx, session.sessionId, { by, reason, now })))
      return await this.#session(session.sessionId);
    const closed = await this.#session(session.sessionId);
    await this.#tell(closed, "closed", null);
    await this.drain();
    return closed;
  }

  /** Records what the visitor thought of a session; false when that is known. */
  async rate(session: SessionRow, rating: number, comment: string | null): Promise<boolean> {
    if (!(await insertRating(this.#tx, session.sessionId, rating, comment))) return false;
    await this.#tell(await this.#session(session.sessionId), "rated", null);
    return true;
  }

  /**
   * Gives sessions of the queue to free agents: the oldest first, each to the agent with the fewest sessions. To be called
   * whenever somebody may have room.
   */
  async drain(): Promise<void> {
    await this.lock();
    const free = await listFreeAgents(this.#tx, this.#appId, this.#now);
    const room = free.reduce((sum, { sessions, maxSessions }) => sum + maxSessions - sessions, 0);
    if (room === 0) return;
    const queue = await listSessions(this.#tx, this.#appId, { status: "QUEUED", limit: Math.min(room, MAX_DRAINED) });
    for (const session of queue) {
      const [agent] = free;
      if (agent === undefined) return;
      await this.assign(session, agent.userId);
      agent.sessions++;
      if (agent.sessions >= agent.maxSessions) free.shift();
      else free.sort((a, b) => a.sessions - b.sessions || (a.userId < b.userId ? -1 : 1));
    }
    if (queue.length === MAX_DRAINED) this.#afterCommit(() => this.#ctx.deskLive.look(this.#appId));
  }

  /** Puts ACTIVE sessions back to the head of the queue, in the order in which they had come. */
  async giveBack(sessions: readonly SessionRow[]): Promise<void> {
    await this.lock();
    const [head] = await listSessions(this.#tx, this.#appId, { status: "QUEUED", limit: 1 });
    const before = head?.queuedAt ?? this.#now;
    const ordered = sessions.toSorted((a, b) => a.queuedAt - b.queuedAt || a.sessionId - b.sessionId);
    for (const [index, { sessionId, agentId }] of ordered.entries()) {
      await requeueSession(this.#tx, sessionId, before - (ordered.length - index));
      await this.#tell(await this.#session(sessionId), "transferred", agentId);
    }
    await this.drain();
  }

  /** The same with all sessions of an agent. */
  async giveBackAll(agentUserId: string): Promise<void> {
    await this.lock();
    await this.giveBack(
      await listSessions(this.#tx, this.#appId, { status: "ACTIVE", agentUserId, limit: MAX_GIVEN_BACK }),
    );
  }

  /** Tells that a message was stored. */
  async messageStored(message: CustomerMessage, session: SessionRow): Promise<void> {
    const { visitorId } = session;
    await this.#emit("customer.message.created_v1", { message, session: await toSession(this.#tx, session) });
    this.#afterCommit(() => this.#ctx.deskLive.messageStored(this.#appId, visitorId, message.seq));
  }

  /** Tells that an agent chose another status, came or went. */
  async agentChanged(agent: AgentState, previousStatus: AgentStatus): Promise<void> {
    await this.#emit("customer.agent.status_v1", { agent, previousStatus });
    this.#afterCommit(() => this.#ctx.deskLive.agentChanged(this.#appId, agent));
  }

  async #session(sessionId: number): Promise<SessionRow> {
    const session = await findSession(this.#tx, this.#appId, sessionId);
    if (session === null) throw new Error("a session has gone beside the desk's lock");
    return session;
  }

  async #tell(row: SessionRow, change: SessionChange, previousAgentId: string | null): Promise<void> {
    const session: CustomerSession = await toSession(this.#tx, row);
    await this.#emit("customer.session.changed_v1", { session, change, previousAgentId });
    this.#afterCommit(() => this.#ctx.deskLive.sessionChanged(this.#appId, session, change, previousAgentId));
  }

  async #emit(
    eventType: "customer.message.created_v1" | "customer.session.changed_v1" | "customer.agent.status_v1",
    payload: object,
  ): Promise<void> {
    const [appId, now] = [this.#appId, this.#now];
    const isDue = await emit(this.#tx, { eventType, appId, payload, now });
    if (isDue) this.#afterCommit(() => this.#ctx.webhooks.due(appId));
  }
}

/** Sessions that one transaction takes from the queue; the next goes on. */
const MAX_DRAINED = 200;
/** More than an agent ever has. */
const MAX_GIVEN_BACK = 10_000;

const lockDesk = prepared<{ appId: string }>()((db, param) =>
  db
    .updateTable("desks")
    .set((eb) => ({ app_id: eb.ref("app_id") }))
    .where("app_id", "=", param("appId")),
);
const insertDesk = prepared<{ appId: string }>()((db, param) =>
  db
    .insertInto("desks")
    .values({ app_id: param("appId") })
    .onConflict((conflict) => conflict.doNothing()),
);

/** The lane of an application's desk: those who would wait for its lock share transactions. */
export function deskLane(appId: string): string {
  return `desk:${appId}`;
}

/**
 * Runs `work` at an application's desk in a transaction of its own.
 *
 * @param lane what it contends for, if that is not the desk.
 */
export async function atDesk<T>(
  ctx: DeskParts,
  appId: string,
  work: (desk: Desk, tx: Db) => Promise<T>,
  lane = deskLane(appId),
): Promise<T> {
  const effects: (() => void)[] = [];
  const result = await ctx.storage.write(async (tx) => {
    // It may be run again; what it announced before has been undone.
    effects.length = 0;
    const now = ctx.clock.now();
    return await work(new Desk(ctx, tx, { appId, now, afterCommit: (effect) => void effects.push(effect) }), tx);
  }, lane);
  for (const effect of effects) effect();
  return result;
}
