import type { AgentFrame } from "@portico/protocol/client";
import type { DeskSession } from "@portico/protocol/schemas";
import { withArrival, withMark } from "../../shared/talk/live/unread-count.ts";
import { type Conversation, conversationId, type Session, toConversation } from "./conversation.ts";
import { toEntry } from "./desk-entry.ts";

type MessageFrame = Extract<AgentFrame, { type: "message.created" }>;

/** Conversations that are neither waiting nor the agent's are remembered up to this many: one of them may be open. */
const MOST_OTHERS = 100;

/** The lists of an application, as the service has answered. */
export interface AppLists {
  /** In the order of the queue. */
  waiting: readonly DeskSession[];
  own: readonly DeskSession[];
}

/** What the page knows of the sessions of the agent's applications: what was read, and what the stream has told since. */
export class ConversationBook {
  readonly #username: string;
  readonly #byId = new Map<string, Conversation>();
  /** The queue of each application. */
  readonly #queues = new Map<string, readonly string[]>();
  /** The sessions of which the stream has told since {@link beginReading}, as it told: an answer may be older. */
  readonly #touched = new Map<string, Session>();
  /** Answers that are on their way, about a conversation each. */
  readonly #awaited = new Set<{ id: string; isOvertaken: boolean }>();

  constructor(username: string) {
    this.#username = username;
  }

  get(id: string): Conversation | undefined {
    return this.#byId.get(id);
  }

  /** The one of a visitor that is the agent's; a visitor has one open session at most. */
  ownOf(visitorId: string): Conversation | undefined {
    for (const each of this.#byId.values()) if (each.visitor.visitorId === visitorId && this.isOwn(each)) return each;
    return undefined;
  }

  isOwn({ session }: Conversation): boolean {
    return session.status === "ACTIVE" && session.agentId === this.#username;
  }

  /** Those that wait, the one that has waited longest first in each application. */
  get waiting(): Conversation[] {
    const queued = [...this.#queues.values()].flat().flatMap((id) => this.#byId.get(id) ?? []);
    return queued.filter(isQueued);
  }

  /** The agent's, the newest first: none moves while somebody is about to press it. */
  get own(): Conversation[] {
    const own = [...this.#byId.values()].filter((each) => this.isOwn(each));
    return own.sort((a, b) => (b.session.assignedAt ?? 0) - (a.session.assignedAt ?? 0) || compareIds(a, b));
  }

  /**
   * Tells, when an answer about a conversation has come, whether something was taken of that since now: then the answer may be
   * older. To be called also when none has come.
   */
  await(id: string): () => boolean {
    const awaited = { id, isOvertaken: false };
    this.#awaited.add(awaited);
    return () => {
      this.#awaited.delete(awaited);
      return awaited.isOvertaken;
    };
  }

  /** From now on, what the stream tells is newer than what is being read. */
  beginReading(): void {
    this.#touched.clear();
  }

  /**
   * Takes the lists of an application.
   *
   * @returns those that were the agent's and are not any more: those that wait again, and those of which the answer does
   * not tell what became of them.
   */
  takeLists(appId: string, { waiting, own }: AppLists): { requeued: Conversation[]; gone: Conversation[] } {
    const before = this.own.filter((each) => each.appId === appId && !this.#touched.has(each.id));
    const told = new Set([...waiting, ...own].map(({ sessionId }) => conversationId(appId, sessionId)));
    for (const each of [...waiting, ...own]) this.#takeListed(appId, each);
    const gone = before.filter(({ id }) => !told.has(id));
    for (const each of gone) this.#set({ ...each, session: { ...each.session, agentId: null, agentName: null } });
    this.#queues.set(
      appId,
      waiting.map(({ sessionId }) => conversationId(appId, sessionId)),
    );
    this.#forgetOthers();
    const requeued = before.flatMap(({ id }) => this.#byId.get(id) ?? []).filter(isQueued);
    return { requeued, gone };
  }

  /** Forgets what is of applications that are not the agent's any more. */
  keepApps(appIds: ReadonlySet<string>): void {
    for (const [id, { appId }] of this.#byId) if (!appIds.has(appId)) this.#byId.delete(id);
    for (const appId of [...this.#queues.keys()]) if (!appIds.has(appId)) this.#queues.delete(appId);
  }

  /** Takes a session that was read or changed by itself; one that waits and is new stands at the end of the queue. */
  take(appId: string, listed: DeskSession): Conversation {
    const read = toConversation(appId, listed);
    const { id, session } = read;
    this.#touch(id, session);
    const known = this.#byId.get(id);
    const now = known === undefined ? read : { ...newer(known, read), session };
    this.#set(now);
    const queue = this.#queues.get(appId) ?? [];
    if (isQueued(now) && !queue.includes(id)) this.#queues.set(appId, [...queue, id]);
    return now;
  }

  /**
   * Takes what the stream tells of a session.
   *
   * @returns how it was before and is now; null when the page does not know its visitor, and has to read it.
   */
  takeSession(appId: string, session: Session): { before: Conversation; now: Conversation } | null {
    const id = conversationId(appId, session.sessionId);
    this.#touch(id, session);
    const before = this.#byId.get(id);
    if (before === undefined) return null;
    const now = { ...before, session };
    this.#set(now);
    return { before, now };
  }

  /** Takes a message. @returns its conversation; null for one that is not known. */
  takeMessage({ appId, message }: MessageFrame): Conversation | null {
    const known = this.#byId.get(conversationId(appId, message.sessionId));
    if (known === undefined) return null;
    if (message.seq <= known.lastSeq) return known;
    const isVisitors = message.senderType === "VISITOR";
    const now = {
      ...known,
      last: toEntry(message),
      lastSeq: message.seq,
      unread: isVisitors ? withArrival(known.unread, message.seq) : known.unread,
    };
    this.#set(now);
    return now;
  }

  /** The agent has read up to a place. */
  takeMark(id: string, seq: number): void {
    const known = this.#byId.get(id);
    if (known === undefined) return;
    const { unread } = withMark(known.unread, seq);
    if (unread !== known.unread) this.#set({ ...known, unread });
  }

  /** The visitor has read up to a place. */
  takeVisitorMark(visitorId: string, seq: number): void {
    const known = this.ownOf(visitorId);
    if (known !== undefined && seq > known.visitorReadSeq) this.#set({ ...known, visitorReadSeq: seq });
  }

  #touch(id: string, session: Session): void {
    this.#touched.set(id, session);
    for (const each of this.#awaited) if (each.id === id) each.isOvertaken = true;
  }

  #takeListed(appId: string, listed: DeskSession): void {
    const read = toConversation(appId, listed);
    const known = this.#byId.get(read.id);
    const now = known === undefined ? read : newer(known, read);
    this.#set({ ...now, session: this.#touched.get(read.id) ?? read.session });
  }

  #set(conversation: Conversation): void {
    this.#byId.set(conversation.id, conversation);
  }

  #forgetOthers(): void {
    const others = [...this.#byId.values()].filter((each) => !isQueued(each) && !this.isOwn(each));
    for (const { id } of others.slice(0, Math.max(0, others.length - MOST_OTHERS))) this.#byId.delete(id);
  }
}

/** What is known, with what an answer adds to it: its messages may be older, and so may be what the agent has read. */
function newer(known: Conversation, read: Conversation): Conversation {
  const isKnownNewer = known.lastSeq >= read.lastSeq;
  const { unread } = isKnownNewer ? known : read;
  const readSeq = Math.max(known.unread.readSeq, read.unread.readSeq);
  return {
    ...(isKnownNewer ? known : read),
    visitor: read.visitor,
    visitorReadSeq: Math.max(known.visitorReadSeq, read.visitorReadSeq),
    unread: withMark(unread, readSeq).unread,
  };
}

function isQueued({ session }: Conversation): boolean {
  return session.status === "QUEUED";
}

function compareIds(a: Conversation, b: Conversation): number {
  return b.session.sessionId - a.session.sessionId;
}
