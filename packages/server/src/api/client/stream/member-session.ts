import { ApiError, type Member, STREAM_CLOSES } from "@portico/protocol";
import { conversationKeyOf } from "../../../domain/conversations/conversation-access.ts";
import { listConversationsOf } from "../../../domain/conversations/conversations-of.ts";
import type { ChangeEntry, ReadPlace } from "../../../domain/conversations/live/conversation-feeds.ts";
import { placesAt } from "../../../domain/conversations/live/places.ts";
import { coalesced } from "../../../platform/coalesced.ts";
import type { ClientSocket } from "../../../platform/streams/client-socket.ts";
import { Follower } from "../../../platform/streams/follower.ts";
import { EXTRA_READ_COST } from "../../../platform/streams/frame-allowance.ts";
import { readFrame, readPlaces } from "../../../platform/streams/read-frame.ts";
import type { StreamSession } from "../../../platform/streams/stream-kind.ts";
import type { MemberStreamParts } from "../parts.ts";

/** A member's open stream: the changes of all the member's conversations. */
export class MemberStreamSession implements StreamSession {
  readonly #ctx: MemberStreamParts;
  readonly #member: Member;
  readonly #onClosed: () => void;
  readonly #changes: Follower<ChangeEntry>;
  /** Resolves when no news of the member can be missed. */
  readonly #joined: Promise<void>;
  /** When the conversations were last read; null before the first read. */
  #readAt: number | null = null;
  #socket: ClientSocket | null = null;
  #closed = false;

  /** Follows all current conversations of the member. Once it resolves, no later change is missed. */
  readonly begin = coalesced(() => this.#readConversations());

  /** @param onClosed called once, when the stream has ended. */
  constructor(ctx: MemberStreamParts, member: Member, onClosed: () => void) {
    this.#ctx = ctx;
    this.#member = member;
    this.#onClosed = onClosed;
    const { live, turns, log } = ctx;
    const write = (_key: string, { json }: ChangeEntry) => json;
    this.#changes = new Follower({ ownerId: member.userId, feeds: live.feeds, turns, log, write });
    this.#joined = live.join(this);
  }

  get ownerId(): string {
    return this.#member.userId;
  }

  /** Begins to send, starting with the changes since {@link begin}. */
  attach(socket: ClientSocket): void {
    this.#socket = socket;
    this.#changes.attach(socket);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#changes.close();
    this.#ctx.live.leave(this);
    this.#onClosed();
  }

  /** Handles `{type: "resume", afterSeq}`: the last `msgSeq` that the client has, by conversationId. */
  async receive(text: string): Promise<boolean> {
    const frame = readFrame(text);
    const afterSeqs = frame?.type === "resume" ? readPlaces(frame.afterSeq) : null;
    if (afterSeqs === null) return false;
    const conversationIds = await this.resume(afterSeqs);
    // One frame lists all of them; `conversationId` is the first, for clients that expect only one.
    const [conversationId] = conversationIds;
    if (conversationId === undefined || !(await this.#socket?.drained())) return true;
    const { code, message } = new ApiError("CONVERSATION_UNREACHABLE");
    this.#socket?.send(JSON.stringify({ type: "error", conversationId, conversationIds, code, message }));
    return true;
  }

  /** Whether the stream follows exactly these conversations. */
  follows(keys: ReadonlySet<string>): boolean {
    const followed = this.#changes.keys;
    return keys.size === followed.size && [...keys].every((key) => followed.has(key));
  }

  conversationsChanged(): void {
    this.begin().catch((error: unknown) => {
      this.#ctx.log.warn({ err: error }, "a stream's conversations could not be read");
      this.#socket?.close(STREAM_CLOSES.FAILED);
    });
  }

  /** Only news: a client that does not take them now reads the marks with its conversations. */
  hasRead({ conversationId, seq }: ReadPlace): void {
    if (!this.#socket?.isOpen || !this.#socket.takesMore) return;
    this.#socket.send(JSON.stringify({ type: "conversation.read", conversationId, seq }));
  }

  /**
   * Sends the changes of each conversation after the client's position, by conversationId.
   *
   * @returns the conversations that are not the member's.
   */
  async resume(afterSeqs: ReadonlyMap<string, number>): Promise<string[]> {
    const asked = [...afterSeqs].map(([id, afterSeq]) => ({ id, key: conversationKeyOf(this.#member, id), afterSeq }));
    const { keys } = this.#changes;
    if (asked.some(({ key }) => !keys.has(key))) {
      // A conversation may have become the member's just now. Checking costs a query, which is charged to the client's
      // frame budget.
      if (this.#socket?.spend(EXTRA_READ_COST) === false) return [];
      await this.begin();
    }
    const own = asked.filter(({ key }) => keys.has(key));
    await this.#changes.resume(new Map(own.map(({ key, afterSeq }) => [key, afterSeq])));
    const ownKeys = new Set(own.map(({ key }) => key));
    return this.#closed ? [] : asked.filter(({ key }) => !ownKeys.has(key)).map(({ id }) => id);
  }

  async #readConversations(): Promise<void> {
    const { storage, clock } = this.#ctx;
    await this.#joined;
    const [before, now] = [this.#readAt, clock.now()];
    const keys = new Set((await listConversationsOf(storage.db, this.ownerId)).map(({ key }) => key));
    if (this.#closed) return;
    const followed = this.#changes.keys;
    for (const key of [...followed]) if (!keys.has(key)) this.#changes.leave(key);
    const fresh = [...keys].filter((key) => !followed.has(key));
    // Conversations found since the last read start at their position at that time, because messages may have been sent
    // before they were found here.
    const places = before === null ? null : await placesAt(storage.db, fresh, before);
    await this.#changes.follow(fresh, places);
    if (!this.#closed) this.#readAt = now;
  }
}
