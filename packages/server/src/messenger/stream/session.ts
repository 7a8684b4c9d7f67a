import type { Member } from "@portico/protocol";
import type { WebSocket } from "ws";
import type { Context } from "../../context.ts";
import { conversationKeyOf } from "../conversation-access.ts";
import { listConversationsOf } from "../conversations-of.ts";
import type { Frame, Watcher } from "./feeds.ts";

/** What may wait in memory to be taken by one client, in bytes; beyond it the database keeps the rest. */
const MAX_BUFFERED = 256 * 1024;
/** A client that takes nothing for this long while something waits is gone. */
const STALLED_AFTER_MS = 5_000;

/** Why a stream is closed (RFC 6455, section 7.4). */
export const CLOSE = {
  goingAway: 1001,
  protocol: 1008,
  internal: 1011,
  tryAgain: 1013,
  signedOut: 4401,
} as const;

/**
 * One member's open stream.
 *
 * Changes are handed on as the feeds bring them, as long as the client takes them. Where it does not, or asks for an
 * earlier time, the conversation is **behind**: what comes live is left aside and the stream reads that conversation from
 * the database, page by page as the client takes them, until it has caught up. So a slow client costs no memory, and a
 * dead one is found out by its standing still.
 */
export class StreamSession implements Watcher {
  readonly #ctx: Context;
  readonly #member: Member;
  readonly #watched = new Set<string>();
  /** Conversations that are behind, with the last `msgSeq` the client has of each. */
  readonly #behind = new Map<string, number>();
  /** Up to where catching up has gone, for the feed may come to the same changes a moment later. */
  readonly #caughtUpTo = new Map<string, number>();
  #socket: WebSocket | null = null;
  #pumping = false;
  #closed = false;

  constructor(ctx: Context, member: Member) {
    this.#ctx = ctx;
    this.#member = member;
  }

  get userId(): string {
    return this.#member.userId;
  }

  /** Watches all conversations that the member has now. Once it resolves, nothing that happens later is missed. */
  async begin(): Promise<void> {
    const { live, storage } = this.#ctx;
    const keys = new Set((await listConversationsOf(storage.db, this.userId)).map(({ key }) => key));
    if (this.#closed) return;
    const gone = [...this.#watched].filter((key) => !keys.has(key));
    live.unwatch(this, gone);
    for (const key of gone) this.#watched.delete(key);
    const fresh = [...keys].filter((key) => !this.#watched.has(key));
    for (const key of fresh) this.#watched.add(key);
    await live.watch(this, fresh);
    if (this.#closed) this.close();
  }

  /** Begins to send, what has come since {@link begin} first. */
  attach(socket: WebSocket): void {
    this.#socket = socket;
    this.#pump();
  }

  close(): void {
    this.#closed = true;
    this.#ctx.live.unwatch(this, this.#watched);
    this.#ctx.live.forget(this);
    this.#watched.clear();
    this.#behind.clear();
  }

  receive({ conversationKey, msgSeq, json }: Frame): void {
    if (this.#behind.has(conversationKey)) return;
    if (msgSeq <= (this.#caughtUpTo.get(conversationKey) ?? 0)) return;
    const socket = this.#socket;
    if (socket === null || socket.bufferedAmount > MAX_BUFFERED) {
      this.#behind.set(conversationKey, msgSeq - 1);
      this.#pump();
    } else {
      socket.send(json);
    }
  }

  conversationsChanged(): void {
    this.begin().catch((error: unknown) => {
      this.#ctx.log.warn({ err: error }, "a stream's conversations could not be read");
      this.#socket?.close(CLOSE.internal, "try again");
    });
  }

  /**
   * Brings what happened in each conversation after the place that the client has seen, by conversationId.
   *
   * @returns the conversations that are not the member's.
   */
  async resume(afterSeqs: ReadonlyMap<string, number>): Promise<string[]> {
    const asked = [...afterSeqs].map(([id, afterSeq]) => ({ id, key: conversationKeyOf(this.#member, id), afterSeq }));
    if (asked.some(({ key }) => !this.#watched.has(key))) await this.begin();
    for (const { key, afterSeq } of asked) {
      if (!this.#watched.has(key)) continue;
      this.#caughtUpTo.delete(key);
      this.#behind.set(key, Math.min(afterSeq, this.#ctx.live.cursorOf(key) ?? afterSeq));
    }
    this.#pump();
    return asked.filter(({ key }) => !this.#watched.has(key)).map(({ id }) => id);
  }

  #pump(): void {
    if (this.#pumping || this.#socket === null || this.#closed) return;
    this.#pumping = true;
    this.#catchUpAll(this.#socket)
      .catch((error: unknown) => {
        this.#ctx.log.warn({ err: error }, "a stream could not catch up");
        this.#socket?.close(CLOSE.internal, "try again");
      })
      .finally(() => {
        this.#pumping = false;
        // Something may have fallen behind since the last look at what is.
        if (this.#behind.size > 0 && this.#socket?.readyState === this.#socket?.OPEN) this.#pump();
      });
  }

  async #catchUpAll(socket: WebSocket): Promise<void> {
    for (let next = firstOf(this.#behind); next !== undefined && !this.#closed; next = firstOf(this.#behind)) {
      const [key, afterSeq] = next;
      const page = await this.#ctx.live.readPage(key, afterSeq);
      const allowed = await this.#ctx.live.allowed(key, [this.userId]);
      if (!allowed.has(this.userId)) {
        this.#behind.delete(key);
        continue;
      }
      for (const frame of page) {
        if (!(await this.#sendPatiently(socket, frame.json))) return;
        // Another resume has set a place of its own.
        if (this.#behind.get(key) !== afterSeq) break;
      }
      this.#settle(key, afterSeq, page.at(-1)?.msgSeq ?? afterSeq);
    }
  }

  /** Notes how far a page has brought the conversation; from there on it is live again if the feed is not ahead. */
  #settle(key: string, afterSeq: number, reached: number): void {
    if (this.#behind.get(key) !== afterSeq) return;
    if (reached >= (this.#ctx.live.cursorOf(key) ?? 0)) {
      this.#behind.delete(key);
      this.#caughtUpTo.set(key, reached);
    } else if (reached > afterSeq) {
      this.#behind.set(key, reached);
    } else {
      throw new Error("the feed is ahead of what can be read");
    }
  }

  /** Sends once the client has taken what was sent before; false when it takes nothing any more. */
  async #sendPatiently(socket: WebSocket, json: string): Promise<boolean> {
    const taken = new Promise<void>((resolve) => socket.send(json, () => resolve()));
    if (socket.bufferedAmount <= MAX_BUFFERED) return socket.readyState === socket.OPEN;
    const stalled = setTimeout(() => socket.terminate(), STALLED_AFTER_MS);
    await taken;
    clearTimeout(stalled);
    return socket.readyState === socket.OPEN;
  }
}

function firstOf<K, V>(map: ReadonlyMap<K, V>): [K, V] | undefined {
  const [first] = map;
  return first;
}
