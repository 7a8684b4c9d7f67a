import { ApiError, type Member, STREAM_CLOSES } from "@portico/protocol";
import { conversationKeyOf } from "../../../domain/conversations/conversation-access.ts";
import { listConversationsOf } from "../../../domain/conversations/conversations-of.ts";
import { coalesced } from "../../../domain/conversations/live/coalesced.ts";
import type { ChangeEntry } from "../../../domain/conversations/live/conversation-feeds.ts";
import { placesAt } from "../../../domain/conversations/live/places.ts";
import type { ClientSocket } from "../../../platform/streams/client-socket.ts";
import { Follower } from "../../../platform/streams/follower.ts";
import { LOOKING_COSTS } from "../../../platform/streams/frame-allowance.ts";
import { readFrame, readPlaces } from "../../../platform/streams/read-frame.ts";
import type { StreamSession } from "../../../platform/streams/stream-kind.ts";
import type { Context } from "../../common/context.ts";

/** One member's open stream: the changes of all conversations that they have. */
export class MemberStreamSession implements StreamSession {
  readonly #ctx: Context;
  readonly #member: Member;
  readonly #onClosed: () => void;
  readonly #changes: Follower<ChangeEntry>;
  /** When the conversations were last read; null before the first time. */
  #readAt: number | null = null;
  #socket: ClientSocket | null = null;
  #closed = false;

  /** Follows all conversations that the member has now. Once it resolves, nothing that happens later is missed. */
  readonly begin = coalesced(() => this.#readConversations());

  /** @param onClosed called once, when it is over. */
  constructor(ctx: Context, member: Member, onClosed: () => void) {
    this.#ctx = ctx;
    this.#member = member;
    this.#onClosed = onClosed;
    const { live, turns, log } = ctx;
    const write = (_key: string, { json }: ChangeEntry) => json;
    this.#changes = new Follower({ ownerId: member.userId, feeds: live.feeds, turns, log, write });
    live.join(this);
  }

  get ownerId(): string {
    return this.#member.userId;
  }

  /** Begins to send, what has come since {@link begin} first. */
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

  /** Whether these are the conversations it follows. */
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

  /**
   * Brings what happened in each conversation after the place that the client has seen, by conversationId.
   *
   * @returns the conversations that are not the member's.
   */
  async resume(afterSeqs: ReadonlyMap<string, number>): Promise<string[]> {
    const asked = [...afterSeqs].map(([id, afterSeq]) => ({ id, key: conversationKeyOf(this.#member, id), afterSeq }));
    const { keys } = this.#changes;
    if (asked.some(({ key }) => !keys.has(key))) {
      // It may have become the member's a moment ago: that costs a look, which who asks for strange ones pays for.
      if (this.#socket?.spend(LOOKING_COSTS) === false) return [];
      await this.begin();
    }
    const own = asked.filter(({ key }) => keys.has(key));
    await this.#changes.resume(new Map(own.map(({ key, afterSeq }) => [key, afterSeq])));
    const ownKeys = new Set(own.map(({ key }) => key));
    return this.#closed ? [] : asked.filter(({ key }) => !ownKeys.has(key)).map(({ id }) => id);
  }

  async #readConversations(): Promise<void> {
    const { storage, clock } = this.#ctx;
    const [before, now] = [this.#readAt, clock.now()];
    const keys = new Set((await listConversationsOf(storage.db, this.ownerId)).map(({ key }) => key));
    if (this.#closed) return;
    const followed = this.#changes.keys;
    for (const key of [...followed]) if (!keys.has(key)) this.#changes.leave(key);
    const fresh = [...keys].filter((key) => !followed.has(key));
    // What is new since the last time goes on from then: things may have been said in it before it was found here.
    const places = before === null ? null : await placesAt(storage.db, fresh, before);
    await this.#changes.follow(fresh, places);
    if (!this.#closed) this.#readAt = now;
  }
}
