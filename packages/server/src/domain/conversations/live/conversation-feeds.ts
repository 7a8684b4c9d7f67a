import { randomUUID } from "node:crypto";
import type { Change } from "@portico/protocol";
import type { Logger } from "pino";
import type { Coordination } from "../../../platform/coordination/coordination.ts";
import { OncePerTurn } from "../../../platform/coordination/once-per-turn.ts";
import { writeJson } from "../../../platform/http/json-text.ts";
import type { Storage } from "../../../platform/storage/storage.ts";
import { type FeedEntry, type FeedSource, Feeds } from "../../../platform/streams/feeds.ts";
import { membersAmong } from "../../directory/group-store.ts";
import { conversationIdOf } from "../conversation-key.ts";
import { listConversationChanges } from "../message-view.ts";
import { changesPage } from "../page-size.ts";
import { findLastSeqs } from "../sequence-store.ts";

/** A change of a conversation, as sent over a stream. `seq` is its `msgSeq`. */
export interface ChangeEntry extends FeedEntry {
  /** JSON text, the same for all recipients. */
  readonly json: string;
}

/** A member's stream, which is notified when the set of the member's conversations changes. */
interface MembersStream {
  readonly ownerId: string;
  conversationsChanged(): void;
  /** The member has read a conversation up to a place, maybe elsewhere. */
  hasRead(place: ReadPlace): void;
}

/** Up to where a member has read. */
export interface ReadPlace {
  conversationId: string;
  /** A `msgSeq`. */
  seq: number;
}

/** A conversation, by its key: told is the last `msgSeq`. */
const CONVERSATION = "conversation";
/** A member, by userId: told is how far the member has read; nothing when the set of the member's conversations has changed. */
const MEMBER = "member";
/** For every process, because each remembers tokens. */
const SIGN_OUTS_CHANNEL = "sign-outs";
/**
 * Limits of one page: the number of changes, and the total size of their content (one larger change is still sent
 * alone).
 */
const MAX_PAGE = 50;
const MAX_PAGE_BYTES = 256 * 1024;

/**
 * Feeds the streams of this process with conversation changes, by conversation key, and with other events that concern
 * members' streams.
 */
export class ConversationFeeds {
  readonly feeds: Feeds<ChangeEntry>;
  readonly #coordination: Coordination;
  readonly #streamsOf = new Map<string, readonly MembersStream[]>();
  /** Distinguishes this process's own news, which come back to it. */
  readonly #processId = randomUUID();
  readonly #signOutListeners: ((userId: string) => void)[] = [];

  /** The processes that watch are told the last of a conversation's changes in one turn of the event loop. */
  readonly #changes = new OncePerTurn<{ conversationKey: string; msgSeq: number }>((changes) => {
    const last = new Map<string, number>();
    for (const { conversationKey, msgSeq } of changes) {
      last.set(conversationKey, Math.max(msgSeq, last.get(conversationKey) ?? 0));
    }
    for (const [key, msgSeq] of last) this.#coordination.topics.tell({ kind: CONVERSATION, key }, String(msgSeq));
  });

  constructor(storage: Storage, coordination: Coordination, log: Logger) {
    const { topics } = coordination;
    this.feeds = new Feeds(
      {
        ...changesOf(storage),
        attend: (keys) => topics.follow(CONVERSATION, keys),
        ignore: (keys) => topics.unfollow(CONVERSATION, keys),
      },
      log,
    );
    this.#coordination = coordination;
    topics.hear(CONVERSATION, (key, msgSeq) => this.feeds.hint(key, Number(msgSeq)));
    topics.hear(MEMBER, (userId, text) => {
      if (text === "") {
        this.#refresh(userId);
        return;
      }
      const { from, ...place } = JSON.parse(text) as ReadPlace & { from: string };
      if (from !== this.#processId) this.#tellRead(userId, place);
    });
    topics.onGap(() => this.feeds.catchUp());
    coordination.subscribe(SIGN_OUTS_CHANNEL, (userId) => this.#endStreams(userId));
  }

  close(): void {
    this.feeds.close();
  }

  /** Notifies the processes that watch the conversation that it has changed. Call it after the commit. */
  changed(conversationKey: string, msgSeq: number): void {
    this.feeds.hint(conversationKey, msgSeq);
    this.#changes.add({ conversationKey, msgSeq });
  }

  /** Notifies the member's streams, of every process, that the set of the member's conversations has changed. */
  conversationsChanged(userId: string): void {
    this.#refresh(userId);
    this.#coordination.topics.tell({ kind: MEMBER, key: userId }, "");
  }

  /** Tells the member's streams, of every process, how far the member has read. Call it after the commit. */
  read(userId: string, place: ReadPlace): void {
    this.#tellRead(userId, place);
    const message = JSON.stringify({ from: this.#processId, ...place });
    this.#coordination.topics.tell({ kind: MEMBER, key: userId }, message);
  }

  /** Notifies every process that tokens of a member have ended. Call it after the commit. */
  signedOut(userId: string): void {
    this.#endStreams(userId);
    this.#coordination.publish(SIGN_OUTS_CHANNEL, userId);
  }

  /** Registers a `listener` for members some of whose tokens have ended. It must not throw. */
  onSignOut(listener: (userId: string) => void): void {
    this.#signOutListeners.push(listener);
  }

  /** Subscribes `stream` to what concerns its member. Resolves when it cannot miss any later news. */
  async join(stream: MembersStream): Promise<void> {
    this.#streamsOf.set(stream.ownerId, [...(this.#streamsOf.get(stream.ownerId) ?? []), stream]);
    await this.#coordination.topics.follow(MEMBER, [stream.ownerId]);
  }

  /** Unsubscribes `stream`. */
  leave(stream: MembersStream): void {
    const streams = this.#streamsOf.get(stream.ownerId) ?? [];
    const left = streams.filter((other) => other !== stream);
    if (left.length > 0) this.#streamsOf.set(stream.ownerId, left);
    if (left.length > 0 || streams.length === 0) return;
    this.#streamsOf.delete(stream.ownerId);
    this.#coordination.topics.unfollow(MEMBER, [stream.ownerId]);
  }

  #endStreams(userId: string): void {
    for (const listener of this.#signOutListeners) listener(userId);
  }

  #tellRead(userId: string, place: ReadPlace): void {
    for (const stream of this.#streamsOf.get(userId) ?? []) stream.hasRead(place);
  }

  #refresh(userId: string): void {
    for (const stream of this.#streamsOf.get(userId) ?? []) stream.conversationsChanged();
  }
}

function changesOf(storage: Storage): FeedSource<ChangeEntry> {
  return {
    lastSeqs: (keys) => findLastSeqs(storage.db, keys),
    async readPage(key, afterSeq, most) {
      const bounds = { afterSeq, limit: Math.min(MAX_PAGE, most), maxBytes: MAX_PAGE_BYTES };
      const { limit } = most <= 1 ? { limit: 1 } : await changesPage(storage.db, key, bounds);
      const changes = await listConversationChanges(storage.db, key, { afterSeq, limit });
      await storage.synced();
      return changes.map((change) => entryOf(key, change));
    },
    async allowed(key, userIds) {
      const group = /^group:(.+)$/s.exec(key)?.[1];
      // The key of a direct conversation contains its only member.
      if (group === undefined) return new Set(userIds.filter((userId) => key.endsWith(`:${userId}`)));
      return await membersAmong(storage.db, group, [...userIds]);
    },
  };
}

function entryOf(conversationKey: string, { type, msgSeq, message }: Change): ChangeEntry {
  const conversationId = conversationIdOf(conversationKey);
  return { seq: msgSeq, json: writeJson({ type, conversationId, msgSeq, message }) };
}
