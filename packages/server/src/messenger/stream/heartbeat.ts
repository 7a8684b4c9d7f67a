import type { Context } from "../../context.ts";
import { listConversationsOf } from "../conversations-of.ts";
import { memberOfToken } from "../session.ts";
import { CLOSE, type ClientSocket } from "./client-socket.ts";
import type { StreamSession } from "./session.ts";

/** A stream whose member is known. */
export interface Stream {
  socket: ClientSocket;
  session: StreamSession;
  /** The token that told the member. */
  accessToken: string;
}

const TICK_MS = 1_000;
/** Each member's turn comes once in so many ticks. */
const TICKS = 30;

interface MemberStreams {
  slot: number;
  streams: Set<Stream>;
}

/**
 * Looks after each stream every 30 s: whether its client is there, whether the member is still signed in, and which
 * conversations are theirs. Members take turns within that time, so that many streams do not come all at once.
 */
export class Heartbeat {
  readonly #ctx: Context;
  readonly #members = new Map<string, MemberStreams>();
  readonly #slots: Set<string>[] = Array.from({ length: TICKS }, () => new Set());
  readonly #timer: NodeJS.Timeout;
  #tick = 0;
  #nextSlot = 0;

  constructor(ctx: Context) {
    this.#ctx = ctx;
    this.#timer = setInterval(() => this.tick(), TICK_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  add(stream: Stream): void {
    const { userId } = stream.session;
    let member = this.#members.get(userId);
    if (member === undefined) {
      member = { slot: this.#nextSlot, streams: new Set() };
      this.#members.set(userId, member);
      this.#slots[member.slot]?.add(userId);
      this.#nextSlot = (this.#nextSlot + 1) % TICKS;
    }
    member.streams.add(stream);
  }

  remove(stream: Stream): void {
    const { userId } = stream.session;
    const member = this.#members.get(userId);
    member?.streams.delete(stream);
    if (member?.streams.size !== 0) return;
    this.#members.delete(userId);
    this.#slots[member.slot]?.delete(userId);
  }

  /** Looks after the members whose turn it is. */
  tick(): void {
    for (const userId of this.#slots[this.#tick] ?? []) {
      for (const { socket } of this.#members.get(userId)?.streams ?? []) socket.beat();
      this.check(userId);
    }
    this.#tick = (this.#tick + 1) % TICKS;
  }

  /** Has the member's streams checked now. */
  check(userId: string): void {
    const streams = [...(this.#members.get(userId)?.streams ?? [])];
    if (streams.length === 0) return;
    this.#renew(userId, streams).catch((error: unknown) => {
      this.#ctx.log.warn({ err: error }, "a member's streams could not be checked");
    });
  }

  /** What is found out for one of a member's streams holds for all of them. */
  async #renew(userId: string, streams: Stream[]): Promise<void> {
    for (const token of new Set(streams.map(({ accessToken }) => accessToken))) {
      if ((await memberOfToken(this.#ctx, token)) !== null) continue;
      for (const { accessToken, socket } of streams) {
        if (accessToken === token) socket.close(CLOSE.signedOut, "signed out");
      }
    }
    const keys = new Set((await listConversationsOf(this.#ctx.storage.db, userId)).map(({ key }) => key));
    for (const { session, socket } of streams) {
      if (socket.isOpen && !session.follows(keys)) session.conversationsChanged();
    }
  }
}
