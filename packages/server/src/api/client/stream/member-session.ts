import { ApiError, type Member, STREAM_CLOSES } from "@portico/protocol";
import { conversationKeyOf } from "../../../domain/conversations/conversation-access.ts";
import { listConversationsOf } from "../../../domain/conversations/conversations-of.ts";
import { coalesced } from "../../../domain/conversations/live/coalesced.ts";
import type { Frame, Watcher } from "../../../domain/conversations/live/feeds.ts";
import { placesAt } from "../../../domain/conversations/live/places.ts";
import type { ClientSocket } from "../../../platform/streams/client-socket.ts";
import { LOOKING_COSTS } from "../../../platform/streams/frame-allowance.ts";
import { readFrame, readPlaces } from "../../../platform/streams/read-frame.ts";
import type { StreamSession } from "../../../platform/streams/stream-kind.ts";
import type { Context } from "../../common/context.ts";

/**
 * One member's open stream.
 *
 * Changes are handed on as the feeds bring them, as long as the client takes them. Where it does not, or asks for an
 * earlier time, the conversation is **behind**: what comes live is left aside and the stream reads that conversation from
 * the database, page by page as the client takes them, until it has caught up. So a slow client costs little memory, and
 * a dead one is found out by its standing still.
 */
export class MemberStreamSession implements StreamSession, Watcher {
  readonly #ctx: Context;
  readonly #member: Member;
  readonly #onClosed: () => void;
  readonly #watched = new Set<string>();
  /** Conversations whose place is still being looked up: what comes live is left aside, for they will be behind. */
  readonly #held = new Set<string>();
  /** Conversations that are behind, with the last `msgSeq` the client has of each. */
  readonly #behind = new Map<string, number>();
  /** Up to where catching up has gone, for the feed may come to the same changes a moment later. */
  readonly #caughtUpTo = new Map<string, number>();
  /** When the conversations were last read; null before the first time. */
  #readAt: number | null = null;
  #socket: ClientSocket | null = null;
  #pumping = false;
  #closed = false;

  /** Watches all conversations that the member has now. Once it resolves, nothing that happens later is missed. */
  readonly begin = coalesced(() => this.#readConversations());

  /** @param onClosed called once, when it is over. */
  constructor(ctx: Context, member: Member, onClosed: () => void) {
    this.#ctx = ctx;
    this.#member = member;
    this.#onClosed = onClosed;
    ctx.live.join(this);
  }

  get userId(): string {
    return this.#member.userId;
  }

  get ownerId(): string {
    return this.#member.userId;
  }

  /** Begins to send, what has come since {@link begin} first. */
  attach(socket: ClientSocket): void {
    this.#socket = socket;
    this.#pump();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#ctx.live.unwatch(this, this.#watched);
    this.#ctx.live.leave(this);
    this.#watched.clear();
    this.#behind.clear();
    this.#onClosed();
  }

  /** Takes `{type: "resume", afterSeq}`, the last `msgSeq` that the client has of each conversation by conversationId. */
  async take(text: string): Promise<boolean> {
    const frame = readFrame(text);
    const afterSeqs = frame?.type === "resume" ? readPlaces(frame.afterSeq) : null;
    if (afterSeqs === null) return false;
    const conversationIds = await this.resume(afterSeqs);
    // One frame names all of them; the first stands for itself too, where a reader expects one.
    const [conversationId] = conversationIds;
    if (conversationId === undefined || !(await this.#socket?.drained())) return true;
    const { code, message } = new ApiError("CONVERSATION_UNREACHABLE");
    this.#socket?.send(JSON.stringify({ type: "error", conversationId, conversationIds, code, message }));
    return true;
  }

  /** Whether these are the conversations it watches. */
  follows(keys: ReadonlySet<string>): boolean {
    return keys.size === this.#watched.size && [...keys].every((key) => this.#watched.has(key));
  }

  receive({ conversationKey, msgSeq, json }: Frame): void {
    if (this.#held.has(conversationKey) || this.#behind.has(conversationKey)) return;
    if (msgSeq <= (this.#caughtUpTo.get(conversationKey) ?? 0)) return;
    if (this.#socket?.takesMore) this.#socket.send(json);
    else this.fallBehind(conversationKey, msgSeq - 1);
  }

  fallBehind(conversationKey: string, afterSeq: number): void {
    if (this.#closed || this.#held.has(conversationKey) || this.#behind.has(conversationKey)) return;
    this.#behind.set(conversationKey, Math.max(afterSeq, this.#caughtUpTo.get(conversationKey) ?? 0));
    this.#pump();
  }

  conversationsChanged(): void {
    this.begin().catch((error: unknown) => {
      this.#ctx.log.warn({ err: error }, "a stream's conversations could not be read");
      this.#socket?.close(STREAM_CLOSES.FAILED);
    });
  }

  /**
   * Brings what happened in each conversation after the place that the client has seen, by conversationId.
   *
   * @returns the conversations that are not the member's.
   */
  async resume(afterSeqs: ReadonlyMap<string, number>): Promise<string[]> {
    const asked = [...afterSeqs].map(([id, afterSeq]) => ({ id, key: conversationKeyOf(this.#member, id), afterSeq }));
    if (asked.some(({ key }) => !this.#watched.has(key))) {
      // It may have become the member's a moment ago: that costs a look, which who asks for strange ones pays for.
      if (this.#socket?.spend(LOOKING_COSTS) === false) return [];
      await this.begin();
    }
    const own = asked.filter(({ key }) => this.#watched.has(key));
    const keys = new Set(own.map(({ key }) => key));
    for (const key of keys) this.#held.add(key);
    try {
      const lastSeqs = await this.#ctx.live.lastSeqs([...keys]);
      if (this.#closed) return [];
      for (const { key, afterSeq } of own) {
        if (!this.#watched.has(key)) continue;
        this.#caughtUpTo.delete(key);
        const lastSeq = lastSeqs.get(key) ?? 0;
        // A place from the future counts as now, where there is nothing to read.
        if (afterSeq < lastSeq) this.#behind.set(key, afterSeq);
        else this.#settle(key, lastSeq);
      }
    } finally {
      for (const key of keys) this.#held.delete(key);
    }
    this.#pump();
    return asked.filter(({ key }) => !keys.has(key)).map(({ id }) => id);
  }

  async #readConversations(): Promise<void> {
    const { live, storage, clock } = this.#ctx;
    const [before, now] = [this.#readAt, clock.now()];
    const keys = new Set((await listConversationsOf(storage.db, this.userId)).map(({ key }) => key));
    if (this.#closed) return;
    for (const key of this.#watched) if (!keys.has(key)) this.#leave(key);
    const fresh = [...keys].filter((key) => !this.#watched.has(key));
    // What is new since the last time goes on from then: things may have been said in it before it was found here.
    const places = before === null ? null : await placesAt(storage.db, fresh, before);
    if (places !== null) for (const key of fresh) this.#held.add(key);
    let followed = false;
    try {
      await live.watch(this, fresh);
      followed = !this.#closed;
    } finally {
      for (const key of fresh) this.#held.delete(key);
      if (!followed) live.unwatch(this, fresh);
    }
    if (!followed) return;
    for (const key of fresh) this.#watched.add(key);
    for (const [key, place] of places ?? []) this.fallBehind(key, place);
    this.#readAt = now;
  }

  #leave(key: string): void {
    // Should it come back, it goes on from here.
    const reached = this.#behind.get(key) ?? this.#ctx.live.cursorOf(key);
    if (reached !== null) this.#caughtUpTo.set(key, reached);
    this.#behind.delete(key);
    this.#watched.delete(key);
    this.#ctx.live.unwatch(this, [key]);
  }

  #pump(): void {
    if (this.#pumping || this.#socket === null || this.#closed) return;
    this.#pumping = true;
    this.#catchUpAll(this.#socket)
      .catch((error: unknown) => {
        this.#ctx.log.warn({ err: error }, "a stream could not catch up");
        this.#socket?.close(STREAM_CLOSES.FAILED);
      })
      .finally(() => {
        this.#pumping = false;
        // Something may have fallen behind since the last look at what is.
        if (this.#behind.size > 0 && this.#socket?.isOpen) this.#pump();
      });
  }

  async #catchUpAll(socket: ClientSocket): Promise<void> {
    for (let next = firstOf(this.#behind); next !== undefined; next = firstOf(this.#behind)) {
      const [key, afterSeq] = next;
      // A page is read only when there is room for it, and handed on at once, so no stream holds more than one.
      if (!(await socket.drained())) return;
      await this.#ctx.turns.next();
      await this.#ctx.live.inTurn(() => this.#catchUp(socket, key, afterSeq));
    }
  }

  async #catchUp(socket: ClientSocket, key: string, afterSeq: number): Promise<void> {
    const cursor = this.#ctx.live.cursorOf(key) ?? 0;
    const page = await this.#ctx.live.readPage(key, afterSeq);
    const allowed = await this.#ctx.live.allowed(key, [this.userId]);
    // Another resume may have set a place of its own.
    if (this.#behind.get(key) !== afterSeq) return;
    if (!allowed.has(this.userId)) {
      this.#behind.delete(key);
      return;
    }
    for (const frame of page) socket.send(frame.json);
    const reached = page.at(-1)?.msgSeq ?? afterSeq;
    if (page.length === 0 && afterSeq < cursor) throw new Error("the feed is ahead of what can be read");
    this.#settle(key, reached);
  }

  /** Notes how far a page has brought the conversation; from there on it is live again if the feed is not ahead. */
  #settle(key: string, reached: number): void {
    if (reached >= (this.#ctx.live.cursorOf(key) ?? 0)) {
      this.#behind.delete(key);
      this.#caughtUpTo.set(key, reached);
    } else {
      // The feed may have gone on since the page was read: then there is another.
      this.#behind.set(key, reached);
    }
  }
}

function firstOf<K, V>(map: ReadonlyMap<K, V>): [K, V] | undefined {
  const [first] = map;
  return first;
}
