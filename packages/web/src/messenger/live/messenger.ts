import { LiveStream, MEMBER_STREAM, type MemberFrame, type StreamState } from "@portico/protocol/client";
import type { ClientMessage, Conversation, Member } from "@portico/protocol/schemas";
import { memberApi, memberSession } from "../../shared/session/member.ts";
import { batched } from "./batched.ts";
import { ConversationLog } from "./conversation-log.ts";
import { deliver } from "./deliver.ts";
import { UnreadCounts } from "./unread-counts.ts";

/** A conversation in the list. */
export interface ListedConversation extends Conversation {
  unreadCount: number;
}

/** What of the list is to be drawn. */
export interface ListSnapshot {
  /** The one in which something happened last comes first; null until they have been read. */
  readonly conversations: readonly ListedConversation[] | null;
  readonly error: unknown;
  readonly stream: StreamState;
}

/** Logs that are kept open, so that going back to a conversation shows it at once. */
const MAX_LOGS = 20;
/** How long to wait before the login is asked for again. */
const REOPEN_MS = 5_000;

/**
 * The member's conversations as this page knows them: read once, then kept up to date by the stream, which goes on after
 * sleep or a lost network where it stopped.
 */
export class Messenger {
  readonly me: Member;
  readonly #listeners = new Set<() => void>();
  readonly #tell = batched(() => this.#told());
  readonly #byId = new Map<string, Conversation>();
  readonly #logs = new Map<string, ConversationLog>();
  readonly #unread: UnreadCounts;
  readonly #onArrival: (conversation: Conversation, message: ClientMessage) => void;
  /** What the stream has told since it was last drawn. */
  #frames: MemberFrame[] = [];
  #stream: LiveStream<MemberFrame> | null = null;
  #error: unknown = null;
  #isClosed = false;
  #isRead = false;
  #snapshot: ListSnapshot = { conversations: null, error: null, stream: "connecting" };

  /** @param onArrival told of each new message of others, for notifications. */
  constructor(me: Member, onArrival: (conversation: Conversation, message: ClientMessage) => void) {
    this.me = me;
    this.#onArrival = onArrival;
    this.#unread = new UnreadCounts(() => this.#tell());
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly list = (): ListSnapshot => this.#snapshot;

  /** Reads the list and opens the stream. */
  async open(): Promise<void> {
    this.#isClosed = false;
    addEventListener("online", this.#reconnect);
    await this.refresh();
  }

  close(): void {
    this.#isClosed = true;
    removeEventListener("online", this.#reconnect);
    this.#stream?.close();
    this.#stream = null;
  }

  /** Reads the list anew: after a failure, and when conversations were added. */
  readonly refresh = async (): Promise<void> => {
    try {
      const { items } = await memberApi.listConversations();
      this.#takeList(items);
      this.#error = null;
    } catch (error) {
      this.#error = error;
    }
    this.#tell();
  };

  /** The log of a conversation, opened if it is not. */
  log(conversationId: string): ConversationLog {
    const known = this.#logs.get(conversationId);
    this.#logs.delete(conversationId);
    const log = known ?? this.#openLog(conversationId);
    this.#logs.set(conversationId, log);
    const [oldest] = this.#logs.keys();
    if (this.#logs.size > MAX_LOGS && oldest !== undefined && this.#isSettled(oldest)) this.#logs.delete(oldest);
    return log;
  }

  /** The place up to which the member had read a conversation when it was opened; what follows is new to them. */
  readUpTo(conversationId: string): number {
    return this.#unread.readUpTo(conversationId);
  }

  /** The member has seen everything in a conversation. */
  markRead(conversationId: string): void {
    const lastSeq = this.#byId.get(conversationId)?.lastSeq;
    if (lastSeq !== undefined) this.#unread.markRead(conversationId, lastSeq);
  }

  #openLog(conversationId: string): ConversationLog {
    return new ConversationLog(
      async (beforeSeq, limit) => {
        const page = await memberApi.listMessages({ params: { conversationId }, query: { beforeSeq, limit } });
        return page.items;
      },
      (outgoing, onProgress) => deliver(conversationId, outgoing, onProgress),
      this.#tell,
    );
  }

  /** A message on its way would be lost with its log. */
  #isSettled(conversationId: string): boolean {
    return this.#logs.get(conversationId)?.snapshot.outgoing.length === 0;
  }

  #takeList(items: readonly Conversation[]): void {
    if (this.#isClosed) return;
    this.#isRead = true;
    const isKnown = new Set(this.#byId.keys());
    this.#byId.clear();
    for (const item of items) this.#byId.set(item.conversationId, item);
    // One that comes back has a gap: what happened while it was not the member's.
    for (const id of this.#logs.keys()) if (!this.#byId.has(id)) this.#logs.delete(id);
    this.#unread.takeList(items);
    if (this.#stream === null) {
      this.#openStream(items);
      return;
    }
    for (const { conversationId, lastSeq } of items) {
      if (!isKnown.has(conversationId)) this.#stream.follow(conversationId, lastSeq);
    }
  }

  #openStream(items: readonly Conversation[]): void {
    this.#stream = new LiveStream<MemberFrame>({
      baseUrl: location.origin,
      kind: MEMBER_STREAM,
      token: () => this.#token(),
      places: items.map(({ conversationId, lastSeq }) => [conversationId, lastSeq] as const),
      onFrame: (frame) => {
        this.#frames.push(frame);
        this.#tell();
      },
      onState: () => this.#tell(),
      onUnreachable: () => void this.refresh(),
      onEnd: (end) => {
        if (end === "signed-out") void this.#reopen();
      },
    });
  }

  /** The token was no longer good: goes on with a renewed one, as soon as there is one. */
  async #reopen(): Promise<void> {
    try {
      if ((await memberSession.renew()) === null || this.#isClosed) return;
      this.#openStream([...this.#byId.values()]);
    } catch {
      // The service could not be asked; nobody may have signed out.
      setTimeout(() => !this.#isClosed && void this.#reopen(), REOPEN_MS);
    }
  }

  /** A token that is about to end would end the stream with it. */
  async #token(): Promise<string> {
    const token = memberSession.token();
    if (token !== undefined) return token;
    const login = await memberSession.renew();
    if (login === null) throw new Error("signed out");
    return login.accessToken;
  }

  readonly #reconnect = (): void => this.#stream?.retryNow();

  #told(): void {
    const frames = this.#frames;
    this.#frames = [];
    const changed = new Map<string, ClientMessage[]>();
    for (const frame of frames) {
      const { conversationId } = frame;
      if (frame.type === "conversation.read") {
        this.#unread.takeMark(conversationId, frame.seq);
        continue;
      }
      const messages = changed.get(conversationId) ?? [];
      messages.push(frame.message);
      changed.set(conversationId, messages);
      this.#takeFrame(conversationId, frame.msgSeq, frame.type === "message.created", frame.message);
    }
    for (const [conversationId, messages] of changed) this.#logs.get(conversationId)?.apply(messages);
    this.#snapshot = {
      conversations: this.#isRead ? this.#listed() : null,
      error: this.#error,
      stream: this.#stream?.state ?? "connecting",
    };
    for (const listener of this.#listeners) listener();
  }

  #takeFrame(conversationId: string, msgSeq: number, isNew: boolean, message: ClientMessage): void {
    const conversation = this.#byId.get(conversationId);
    if (conversation === undefined) {
      // A group or a bot that the member has been added to meanwhile.
      void this.refresh();
      return;
    }
    // A list that was read meanwhile has it counted already.
    if (msgSeq <= conversation.lastSeq) return;
    const isLast = isNew || conversation.lastMessage?.messageId === message.messageId;
    const now = { ...conversation, lastSeq: msgSeq, ...(isLast && { lastMessage: message }) };
    this.#byId.set(conversationId, now);
    if (!isNew || message.sender.id === this.me.userId) return;
    this.#unread.count(conversationId);
    this.#onArrival(now, message);
  }

  #listed(): ListedConversation[] {
    const listed = [...this.#byId.values()].map((conversation) => ({
      ...conversation,
      unreadCount: this.#unread.of(conversation.conversationId),
    }));
    const time = ({ lastMessage }: Conversation) => lastMessage?.createTime ?? 0;
    return listed.sort((a, b) => time(b) - time(a) || a.name.localeCompare(b.name));
  }
}
