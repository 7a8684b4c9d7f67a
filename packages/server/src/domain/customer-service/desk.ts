import type {
  AgentState,
  AgentStatus,
  CustomerMessage,
  CustomerSession,
  CustomerSessionEvent,
  SessionChange,
} from "@portico/protocol";
import { prepared } from "../../platform/storage/prepared.ts";
import type { Db } from "../../platform/storage/schema.ts";
import { emit } from "../webhooks/outbox.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import { listFreeAgents } from "./agent-store.ts";
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
} from "./session-store.ts";
import { toSession } from "./session-view.ts";

/** The listeners of a desk. */
export interface DeskListeners {
  webhooks: Pick<Webhooks, "due" | "dueNow">;
  deskLive: DeskLive;
}

/**
 * The customer service of one application within one transaction. All code that opens, assigns or closes sessions does
 * so here, under the lock of the application's desk. So the queue keeps its order, no agent exceeds the limit, and of
 * several concurrent calls one wins. Each fact is written as an event in the same transaction; effects in `afterCommit`
 * run once it is committed.
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

  /** Locks the application's sessions until the transaction ends. It must be the first lock. */
  async lock(): Promise<void> {
    if (this.#isLocked) return;
    this.#isLocked = true;
    const params = { appId: this.#appId };
    if ((await lockDesk.affected(this.#tx, params)) === 1) return;
    await insertDesk.affected(this.#tx, params);
    await lockDesk.affected(this.#tx, params);
  }

  /**
   * The visitor's open session, or a new one: assigned to the named agent, or else to a free agent, or else queued.
   *
   * @returns also whether it was open already.
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

  /** Assigns an open session to an agent, online or not; nothing happens when the agent has it already. */
  async assign(session: SessionRow, agentUserId: string): Promise<SessionRow> {
    await this.lock();
    if (session.status === "ACTIVE" && session.agentUserId === agentUserId) return session;
    if (!(await assignSession(this.#tx, session.sessionId, agentUserId, this.#now))) {
      throw new Error("a session was closed beside the desk's lock");
    }
    const assigned = await this.#session(session.sessionId);
    await this.#tell(assigned, session.status === "ACTIVE" ? "transferred" : "assigned", session.agentId);
    // The previous agent has a free slot now.
    if (session.status === "ACTIVE") await this.drain();
    return assigned;
  }

  /**
   * Assigns an open session to the free agent with the fewest sessions, except the current one; null when there is
   * none.
   */
  async assignToAnyone(session: SessionRow): Promise<SessionRow | null> {
    await this.lock();
    const free = await listFreeAgents(this.#tx, this.#appId, this.#now);
    const agent = free.find(({ userId }) => userId !== session.agentUserId);
    return agent === undefined ? null : await this.assign(session, agent.userId);
  }

  /** Closes an open session; nothing happens when it is closed already. */
  async close(session: SessionRow, by: string, reason: string | null = null): Promise<SessionRow> {
    await this.lock();
    const now = this.#now;
    if (!(await endSession(this.#tx, session.sessionId, { by, reason, now })))
      return await this.#session(session.sessionId);
    const closed = await this.#session(session.sessionId);
    await this.#tell(closed, "closed", null, reason ? { closeReason: reason } : {});
    await this.drain();
    return closed;
  }

  /** Stores the visitor's rating of a session; false when there is one already. */
  async rate(session: SessionRow, rating: number, comment: string | null): Promise<boolean> {
    if (!(await insertRating(this.#tx, session.sessionId, rating, comment))) return false;
    const rated = await this.#session(session.sessionId);
    await this.#tell(rated, "rated", null, comment ? { ratingComment: comment } : {});
    return true;
  }

  /**
   * Assigns queued sessions to free agents: oldest session first, each to the agent with the fewest sessions. Call it
   * whenever an agent may have a free slot.
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
    if (queue.length === MAX_DRAINED) this.#afterCommit(() => this.#ctx.deskLive.recheck(this.#appId));
  }

  /** Returns ACTIVE sessions to the head of the queue, in their original order. */
  async requeue(sessions: readonly SessionRow[]): Promise<void> {
    await this.lock();
    const [head] = await listSessions(this.#tx, this.#appId, { status: "QUEUED", limit: 1 });
    const before = head?.queuedAt ?? this.#now;
    const ordered = sessions.toSorted((a, b) => a.queuedAt - b.queuedAt || a.sessionId - b.sessionId);
    for (const [index, { sessionId, agentId }] of ordered.entries()) {
      const queuedAt = before - (ordered.length - index);
      await requeueSession(this.#tx, sessionId, { queuedAt, now: this.#now });
      await this.#tell(await this.#session(sessionId), "transferred", agentId);
    }
    await this.drain();
  }

  /** Returns all sessions of an agent to the queue. */
  async requeueAllOf(agentUserId: string): Promise<void> {
    await this.lock();
    await this.requeue(
      await listSessions(this.#tx, this.#appId, { status: "ACTIVE", agentUserId, limit: MAX_REQUEUED }),
    );
  }

  /** Announces that a message was stored. */
  async messageStored(message: CustomerMessage, session: SessionRow): Promise<void> {
    const { visitorId } = session;
    const payload = { message, session: await toSession(this.#tx, session) };
    await this.#emit("customer.message.created_v1", `visitor:${visitorId}`, payload);
    this.#afterCommit(() => this.#ctx.deskLive.messageStored(this.#appId, visitorId, message.seq));
  }

  /** Tells the agents' desks of a new note. Neither visitors nor events hear of it. */
  noteStored(noteId: number): void {
    this.#afterCommit(() => this.#ctx.deskLive.noteStored(this.#appId, noteId));
  }

  /** Announces that an agent's status or presence has changed. */
  async agentChanged(agent: AgentState, previousStatus: AgentStatus): Promise<void> {
    await this.#emit("customer.agent.status_v1", `agent:${agent.agentId}`, { agent, previousStatus });
    this.#afterCommit(() => this.#ctx.deskLive.agentChanged(this.#appId, agent));
  }

  async #session(sessionId: number): Promise<SessionRow> {
    const session = await findSession(this.#tx, this.#appId, sessionId);
    if (session === null) throw new Error("a session has gone beside the desk's lock");
    return session;
  }

  /** @param words what was said with the change; for the integrator alone, not for streams. */
  async #tell(
    row: SessionRow,
    change: SessionChange,
    previousAgentId: string | null,
    words: Pick<CustomerSessionEvent, "closeReason" | "ratingComment"> = {},
  ): Promise<void> {
    const session: CustomerSession = await toSession(this.#tx, row);
    const payload = { session, change, previousAgentId, ...words };
    await this.#emit("customer.session.changed_v1", `visitor:${session.visitorId}`, payload);
    const changed = { session, change, previousAgentId, version: row.version };
    this.#afterCommit(() => this.#ctx.deskLive.sessionChanged(this.#appId, changed));
  }

  async #emit(
    eventType: "customer.message.created_v1" | "customer.session.changed_v1" | "customer.agent.status_v1",
    conversation: string,
    payload: object,
  ): Promise<void> {
    const [appId, now] = [this.#appId, this.#now];
    const dueNow = this.#ctx.webhooks.dueNow();
    const isDue = await emit(this.#tx, { eventType, appId, payload, now, dueNow, conversation });
    if (isDue) this.#afterCommit(() => this.#ctx.webhooks.due(appId));
  }
}

/** Sessions that one transaction assigns from the queue; the next one takes the rest. */
const MAX_DRAINED = 200;
/** More than an agent ever has. */
const MAX_REQUEUED = 10_000;

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
