import { ApiError, type CustomerSession, type Member, type SessionChange } from "@portico/protocol";
import { listAgentsApps, listOwnSessions } from "../../../domain/customer-service/agent-apps-store.ts";
import { subject } from "../../../domain/customer-service/desk-hint.ts";
import type { News } from "../../../domain/customer-service/live/desk-news.ts";
import { markRead } from "../../../domain/customer-service/mark-read.ts";
import { type CustomerMessageRow, visitorKey } from "../../../domain/customer-service/message-store.ts";
import { findSession, type SessionRow } from "../../../domain/customer-service/session-store.ts";
import { toSession } from "../../../domain/customer-service/session-view.ts";
import { EXTRA_READ_COST } from "../../../platform/streams/frame-allowance.ts";
import { isSeq, readFrame, readPlaces } from "../../../platform/streams/read-frame.ts";
import {
  type CustomerStreamParts,
  CustomerStreamSession,
  type CustomerStreamSources,
} from "../../common/customer-stream-session.ts";
import { toDeskMessage } from "../desk-message.ts";
import { toDeskNote } from "../notes/desk-note.ts";
import { WatchedVisitors } from "./watched-visitors.ts";

/** A session of the agent. */
interface Own {
  appId: string;
  visitorId: string;
}

type SessionNews = Extract<News, { type: "session" }>;

/**
 * An agent's open stream: events of the sessions of all the agent's applications, and the messages of the agent's own
 * sessions, and of those in the queue that the client resumes. It also produces the agent's heartbeats: an open page means that the agent is present, and no more.
 */
export class AgentStreamSession extends CustomerStreamSession {
  readonly #member: Member;
  readonly #apps = new Set<string>();
  readonly #own = new Map<number, Own>();
  /** The same by visitor; an agent has at most one session of a visitor. */
  readonly #ownByVisitor = new Map<string, Own>();
  readonly #watched: WatchedVisitors;

  /** @param onClosed called once, when the stream has ended. */
  constructor(parts: CustomerStreamParts, member: Member, sources: CustomerStreamSources, onClosed: () => void) {
    super(parts, member.userId, sources, onClosed);
    this.#member = member;
    this.#watched = new WatchedVisitors(parts.storage.db, this.messages, {
      serves: (appId) => !this.closed && this.#apps.has(appId),
      isOwn: (visitorId) => this.#ownOf(visitorId) !== null,
    });
  }

  async begin(): Promise<void> {
    await this.watch(subject("member", this.ownerId));
    await this.outbound.result(() => this.refresh());
  }

  override close(): void {
    super.close();
    this.#own.clear();
    this.#ownByVisitor.clear();
    this.#watched.clear();
  }

  hear(appId: string, news: News): void {
    switch (news.type) {
      case "session":
        this.outbound.run(() => this.#sessionChanged(appId, news));
        return;
      case "agent":
        this.outbound.run(() => this.outbound.send({ type: "agent.changed", appId, agent: news.agent }));
        return;
      case "note":
        this.outbound.run(() =>
          this.outbound.send({ type: "note.created", appId, note: toDeskNote(news.note, this.#member) }),
        );
        return;
      case "agents":
        this.renew();
        return;
      case "typing":
        if (news.by !== "VISITOR" || !this.#own.has(news.sessionId)) return;
        this.outbound.mention({ type: "typing", appId, sessionId: news.sessionId, visitorId: news.visitorId });
        return;
      case "read":
        if (news.by !== "VISITOR" || this.#ownOf(news.visitorId) === null) return;
        this.outbound.mention({ type: "read", appId, visitorId: news.visitorId, seq: news.seq });
    }
  }

  async receive(text: string): Promise<boolean> {
    const frame = readFrame(text);
    switch (frame?.type) {
      case "resume": {
        const places = readPlaces(frame.afterSeq);
        if (places === null) return false;
        await this.#resume(places);
        return true;
      }
      case "typing":
        if (!isSeq(frame.sessionId)) return false;
        this.#typing(frame.sessionId);
        return true;
      case "read":
        if (!isSeq(frame.sessionId) || !isSeq(frame.seq)) return false;
        await this.#read(frame.sessionId, frame.seq);
        return true;
      default:
        return false;
    }
  }

  protected fieldsOf(row: CustomerMessageRow): object {
    // The session is followed only while it belongs to the agent, or waits.
    const appId = this.#ownOf(row.visitorId)?.appId ?? this.#watched.appOf(row.visitorId);
    return { appId, message: toDeskMessage(row, this.#member) };
  }

  protected recordHeartbeat(): void {
    this.parts.presenceTracker.agent(this.ownerId);
  }

  /** Sends the messages after the client's position, by visitorId. */
  async #resume(places: ReadonlyMap<string, number>): Promise<void> {
    const isFollowed = (visitorId: string) => {
      return this.#ownOf(visitorId) !== null || this.#watched.appOf(visitorId) !== undefined;
    };
    const isForeign = (visitorId: string) => !isFollowed(visitorId);
    if ([...places.keys()].some(isForeign)) {
      // A visitor may have become the agent's just now, or wait. Checking costs queries, which are charged to the
      // client's frame budget.
      if (this.socket?.spend(EXTRA_READ_COST) === false) return;
      await this.outbound.result(async () => {
        await this.refresh();
        await this.#watched.watch([...places.keys()].filter(isForeign));
      });
    }
    const foreign = [...places.keys()].filter(isForeign);
    const followed = [...places].filter(([visitorId]) => isFollowed(visitorId));
    await this.messages.resume(new Map(followed.map(([visitorId, afterSeq]) => [visitorKey(visitorId), afterSeq])));
    const [first] = foreign;
    if (first !== undefined) this.outbound.run(() => this.outbound.send(notTheirs(first, foreign)));
  }

  #typing(sessionId: number): void {
    const own = this.#own.get(sessionId);
    if (own !== undefined) this.tellTyping(own.appId, own.visitorId, sessionId, "AGENT");
  }

  async #read(sessionId: number, seq: number): Promise<void> {
    const own = this.#own.get(sessionId);
    if (own !== undefined) await markRead(this.parts, { ...own, by: "AGENT", seq });
  }

  async #sessionChanged(appId: string, news: SessionNews): Promise<void> {
    const { session, agentUserId, waitingSince, change, previousAgentId, version } = news;
    const { sessionId, visitorId } = session;
    if (session.status === "ACTIVE" && agentUserId === this.ownerId) await this.#follow(appId, sessionId, visitorId);
    else await this.#leave(sessionId);
    if (session.status !== "QUEUED") await this.#watched.unwatch(visitorId);
    if (this.found.includes(sessionId, version)) return;
    await this.#send(appId, { ...session, queuedAt: waitingSince }, change, previousAgentId);
  }

  /** Follows the session's messages. A client that reads the history after this misses nothing. */
  async #follow(appId: string, sessionId: number, visitorId: string): Promise<void> {
    if (this.closed || this.#own.has(sessionId)) return;
    const own = { appId, visitorId };
    this.#own.set(sessionId, own);
    this.#ownByVisitor.set(visitorId, own);
    const key = visitorKey(visitorId);
    if (!this.messages.keys.has(key)) await this.messages.follow([key]);
  }

  async #leave(sessionId: number): Promise<void> {
    const own = this.#own.get(sessionId);
    if (own === undefined) return;
    const key = visitorKey(own.visitorId);
    await this.messages.flush(key);
    this.#own.delete(sessionId);
    // Another session of the visitor may have been assigned to the agent meanwhile.
    if (this.#ownByVisitor.get(own.visitorId) !== own) return;
    this.#ownByVisitor.delete(own.visitorId);
    this.#watched.forget(own.visitorId);
    this.messages.leave(key);
  }

  #ownOf(visitorId: string): Own | null {
    return this.#ownByVisitor.get(visitorId) ?? null;
  }

  /** Reads the agent's current applications and sessions. */
  protected async refresh(): Promise<void> {
    const { storage, presenceTracker } = this.parts;
    const { db } = storage;
    const apps = new Set((await listAgentsApps(db, this.ownerId)).map(({ appId }) => appId));
    if (this.closed) return;
    for (const appId of [...this.#apps]) {
      if (apps.has(appId)) continue;
      this.#apps.delete(appId);
      this.unwatch(subject("app", appId));
    }
    const fresh = [...apps].filter((appId) => !this.#apps.has(appId));
    for (const appId of fresh) this.#apps.add(appId);
    // Before the sessions are read: a change of one is either read, or its hint will be heard.
    await Promise.all(fresh.map((appId) => this.watch(subject("app", appId))));
    if (fresh.length > 0 && this.socket !== null) presenceTracker.newAgent(this.ownerId);
    const sessions = new Map((await listOwnSessions(db, this.ownerId, [...apps])).map((row) => [row.sessionId, row]));
    for (const [sessionId, { appId }] of [...this.#own]) {
      if (sessions.has(sessionId)) continue;
      await this.#leave(sessionId);
      const session = await findSession(db, appId, sessionId);
      if (session !== null) await this.#tell(session, session.status === "CLOSED" ? "closed" : "transferred");
    }
    await this.#watched.revise();
    for (const session of sessions.values()) {
      if (this.#own.has(session.sessionId)) continue;
      await this.#follow(session.appId, session.sessionId, session.visitorId);
      await this.#tell(session, "assigned");
    }
  }

  /** Reports a change found by reading. Before the stream has begun, the client has no earlier state to compare. */
  async #tell(row: SessionRow, change: SessionChange): Promise<void> {
    if (this.socket === null) return;
    const session = await toSession(this.parts.storage.db, row);
    const previousAgentId = change === "transferred" ? this.#member.username : null;
    this.found.add(session.sessionId, row.version);
    await this.#send(row.appId, { ...session, queuedAt: row.waitingSince }, change, previousAgentId);
  }

  async #send(
    appId: string,
    session: CustomerSession & { queuedAt: number },
    change: SessionChange,
    previousAgentId: string | null,
  ): Promise<void> {
    await this.outbound.send({ type: "session.changed", appId, session, change, previousAgentId });
  }
}

/** One frame lists all of them; `visitorId` is the first, for clients that expect only one. */
function notTheirs(visitorId: string, visitorIds: string[]): object {
  const { code, message } = new ApiError("DESK_SESSION_UNREACHABLE");
  return { type: "error", visitorId, visitorIds, code, message };
}
