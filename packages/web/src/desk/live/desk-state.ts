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

  /**
   * Takes the applications and their lists.
   *
   * @returns the agent's conversations of which it is not known what became of them.
   */
  takeAll(all: readonly { app: DeskApp; lists: AppLists }[]): Conversation[] {
    const isFirst = this.apps === null;
    const before = new Set([...this.book.waiting, ...this.book.own].map(({ id }) => id));
    const ownBefore = new Set(this.book.own.map(({ id }) => id));
    this.apps = all.map(({ app }) => app);
    this.book.keepApps(new Set(all.map(({ app }) => app.appId)));
    const gone: Conversation[] = [];
    for (const { app, lists } of all) {
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

  /** Takes a session that was read or changed by itself. `isNews` where the agent has not changed it. */
  take(appId: string, session: DeskSession, isNews = false): Conversation {
    const now = this.book.take(appId, session);
    if (isNews && !this.book.isOwn(now)) this.#lost(now);
    return now;
  }

  /** Takes what the stream tells of a session. @returns whether the lists have to be read, as not all is known by it. */
  takeSession({ appId, session, previousAgentId }: SessionFrame): boolean {
    const taken = this.book.takeSession(appId, session);
    const isOwn = session.status === "ACTIVE" && session.agentId === this.#me.username;
    if (taken === null) {
      if (isOwn && previousAgentId !== null) {
        this.#givenBy.set(conversationId(appId, session.sessionId), previousAgentId);
      }
      return isOwn || session.status === "QUEUED";
    }
    const { before, now } = taken;
    const wasOwn = this.book.isOwn(before);
    if (wasOwn && !isOwn) this.#lost(now);
    if (!wasOwn && isOwn) {
      if (previousAgentId !== null) this.#givenBy.set(now.id, previousAgentId);
      this.#assigned(now);
    }
    // Its place in the queue is known to the service alone.
    return session.status === "QUEUED" && before.session.status !== "QUEUED";
  }

  /** Takes a message. @returns its conversation; null for one that is not known. */
  takeMessage(frame: MessageFrame): Conversation | null {
    return this.book.takeMessage(frame);
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
    if (!this.changing.has(conversation.id)) this.#onArrival({ kind, conversation });
  }
}
