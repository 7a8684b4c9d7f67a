import type { AgentFrame } from "@portico/protocol/client";
import type { DeskAgentAnswer, DeskApp, DeskSession, Member } from "@portico/protocol/schemas";
import { type Conversation, conversationId } from "./conversation.ts";
import { type AppLists, ConversationBook } from "./conversation-book.ts";
import { type DeskEntry, toEntry } from "./desk-entry.ts";
import { lossOf, Notices } from "./notices.ts";

type SessionFrame = Extract<AgentFrame, { type: "session.changed" }>;
type MessageFrame = Extract<AgentFrame, { type: "message.created" }>;

/** What has just happened that an agent who looks elsewhere wants to know. */
export type Arrival =
  | { kind: "message"; conversation: Conversation; entry: DeskEntry }
  | { kind: "waiting" | "assigned"; conversation: Conversation };

/** An application that was read, with its lists where they were read too. */
export interface ReadApp {
  app: DeskApp;
  lists: AppLists | null;
}

/** What the page knows, and what of it the agent has to be told. */
export class DeskState {
  readonly book: ConversationBook;
  readonly notices = new Notices();
  /** Null until they have been read. */
  apps: readonly DeskApp[] | null = null;
  /** Conversations that the agent is changing: what becomes of them is no news. */
  readonly changing = new Set<string>();
  /** Who has given the agent a conversation of which the page knows no more yet. */
  readonly #givenBy = new Map<string, string>();
  readonly #me: Member;
  readonly #onArrival: (arrival: Arrival) => void;

  constructor(me: Member, onArrival: (arrival: Arrival) => void) {
    this.#me = me;
    this.#onArrival = onArrival;
    this.book = new ConversationBook(me.username);
  }

  /** The agent's own. */
  get username(): string {
    return this.#me.username;
  }

  /**
   * Takes all applications, with the lists that were read.
   *
   * @returns the agent's conversations of which it is not known what became of them.
   */
  takeApps(all: readonly ReadApp[]): Conversation[] {
    const isFirst = this.apps === null;
    const before = new Set([...this.book.waiting, ...this.book.own].map(({ id }) => id));
    const ownBefore = new Set(this.book.own.map(({ id }) => id));
    this.apps = all.map(({ app }) => app);
    this.book.keepApps(new Set(all.map(({ app }) => app.appId)));
    const gone: Conversation[] = [];
    for (const { app, lists } of all) {
      if (lists === null) continue;
      const lost = this.book.takeLists(app.appId, lists);
      for (const each of lost.requeued) this.#lost(each);
      gone.push(...lost.gone);
    }
    if (!isFirst) {
      for (const each of this.book.waiting) if (!before.has(each.id)) this.#arrived("waiting", each);
      for (const each of this.book.own) if (!ownBefore.has(each.id)) this.#assigned(each);
    }
    this.#givenBy.clear();
    return gone;
  }

  /** Takes a session that the agent has changed, or asked to see. */
  take(appId: string, session: DeskSession): Conversation {
    return this.book.take(appId, session);
  }

  /** Takes a session that was read because something has happened to it. `wasOwn` where it was the agent's before. */
  takeNews(appId: string, session: DeskSession, wasOwn: boolean): void {
    const before = this.book.get(conversationId(appId, session.sessionId));
    const now = this.book.take(appId, session);
    const isOwn = this.book.isOwn(now);
    if (wasOwn && !isOwn) this.#lost(now);
    else if (!wasOwn && isOwn && !(before && this.book.isOwn(before))) this.#assigned(now);
    else if (before === undefined && session.status === "QUEUED") this.#arrived("waiting", now);
  }

  /**
   * Takes what the stream tells of a session.
   *
   * @returns what has to be read, as the stream does not tell it: nothing, who the visitor is, or the order of the queue.
   */
  takeSession({ appId, session, change, previousAgentId }: SessionFrame): "nothing" | "session" | "lists" {
    const taken = this.book.takeSession(appId, session);
    const isOwn = session.status === "ACTIVE" && session.agentId === this.#me.username;
    if (taken === null) {
      if (isOwn && previousAgentId !== null) {
        this.#givenBy.set(conversationId(appId, session.sessionId), previousAgentId);
      }
      if (isOwn) return "session";
      if (session.status !== "QUEUED") return "nothing";
      // A new one is the last of its queue; one that went back is not.
      return change === "created" ? "session" : "lists";
    }
    const { before, now } = taken;
    const wasOwn = this.book.isOwn(before);
    if (wasOwn && !isOwn) this.#lost(now);
    if (!wasOwn && isOwn) {
      if (previousAgentId !== null) this.#givenBy.set(now.id, previousAgentId);
      this.#assigned(now);
    }
    return session.status === "QUEUED" && before.session.status !== "QUEUED" ? "lists" : "nothing";
  }

  /** Tells of the newest message of each visitor among these. */
  tellMessages(frames: readonly MessageFrame[]): void {
    const newest = new Map<string, MessageFrame>();
    for (const frame of frames) {
      if (frame.message.senderType === "VISITOR") newest.set(frame.message.visitorId, frame);
    }
    for (const [visitorId, { message }] of newest) {
      const conversation = this.book.ownOf(visitorId);
      if (conversation !== undefined) this.#onArrival({ kind: "message", conversation, entry: toEntry(message) });
    }
  }

  /** Takes how an agent is now; only one's own state is kept. */
  takeAgent(appId: string, agent: Pick<DeskAgentAnswer, "agentId" | "status" | "online">): void {
    if (agent.agentId !== this.#me.username) return;
    const { status, online } = agent;
    this.apps = this.apps?.map((app) => (app.appId === appId ? { ...app, status, online } : app)) ?? null;
  }

  #lost(now: Conversation): void {
    const kind = lossOf(now);
    const isOwnDoing = this.changing.has(now.id) || (kind === "closed" && now.session.closedBy === this.#me.username);
    if (!isOwnDoing) this.notices.add(kind, now);
  }

  #assigned(now: Conversation): void {
    const by = this.#givenBy.get(now.id);
    this.#givenBy.delete(now.id);
    if (by !== undefined && by !== this.#me.username) this.notices.add("given", now, by);
    this.#arrived("assigned", now);
  }

  #arrived(kind: "waiting" | "assigned", conversation: Conversation): void {
    if (this.changing.has(conversation.id)) return;
    // Who has gone offline is not to be called to those who wait.
    const isAway = this.apps?.find(({ appId }) => appId === conversation.appId)?.status === "OFFLINE";
    if (kind === "assigned" || !isAway) this.#onArrival({ kind, conversation });
  }
}
