import { ApiError, STREAM_CLOSES } from "@portico/protocol";
import type { Logger } from "pino";
import type { ClientSocket } from "./client-socket.ts";
import type { StreamKind, StreamSession } from "./stream-kind.ts";

/** A stream with a known owner. */
export interface Stream<Session extends StreamSession> {
  socket: ClientSocket;
  session: Session;
  /** The token of the sign-in. */
  accessToken: string;
  /** The origin of the page that has opened it; undefined for another client. */
  origin: string | undefined;
}

const TICK_MS = 1_000;

interface OwnersStreams<Session extends StreamSession> {
  slot: number;
  /** Nearly always one: a list takes a fifth of what a set takes. */
  streams: Stream<Session>[];
  /** Whether they are being checked, and whether somebody has asked for a check since it began. */
  check: "none" | "running" | "again";
}

/**
 * Checks each stream periodically: whether its client is alive, whether its owner is still signed in and may be where they
 * are, and which data it may see. Owners are spread over the period, so that many streams are not checked at once.
 */
export class Heartbeat<Owner, Session extends StreamSession> {
  readonly #kind: StreamKind<Owner, Session>;
  readonly #log: Logger;
  readonly #owners = new Map<string, OwnersStreams<Session>>();
  /** Owners by slot; each slot is due once per period. */
  readonly #slots: Set<string>[];
  readonly #timer: NodeJS.Timeout;
  #tick = 0;
  #nextSlot = 0;

  constructor(kind: StreamKind<Owner, Session>, log: Logger) {
    this.#kind = kind;
    this.#log = log;
    this.#slots = Array.from({ length: kind.lookEverySeconds }, () => new Set());
    this.#timer = setInterval(() => this.tick(), TICK_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  add(stream: Stream<Session>): void {
    const { ownerId } = stream.session;
    const owner = this.#owners.get(ownerId);
    if (owner !== undefined) {
      owner.streams.push(stream);
      return;
    }
    // Not a list that grows from nothing, which has room for seventeen.
    this.#owners.set(ownerId, { slot: this.#nextSlot, streams: [stream], check: "none" });
    this.#slots[this.#nextSlot]?.add(ownerId);
    this.#nextSlot = (this.#nextSlot + 1) % this.#slots.length;
  }

  remove(stream: Stream<Session>): void {
    const { ownerId } = stream.session;
    const owner = this.#owners.get(ownerId);
    if (owner === undefined) return;
    owner.streams = owner.streams.filter((other) => other !== stream);
    if (owner.streams.length > 0) return;
    this.#owners.delete(ownerId);
    this.#slots[owner.slot]?.delete(ownerId);
  }

  /** Checks the owners of the current slot. */
  tick(): void {
    for (const ownerId of this.#slots[this.#tick] ?? []) {
      for (const { socket } of this.#owners.get(ownerId)?.streams ?? []) socket.beat();
      this.check(ownerId);
    }
    this.#tick = (this.#tick + 1) % this.#slots.length;
  }

  /** Checks the owner's streams now, or once more after a check that is running: a slow database must not be asked ever more. */
  check(ownerId: string): void {
    const owner = this.#owners.get(ownerId);
    if (owner === undefined) return;
    if (owner.check !== "none") {
      owner.check = "again";
      return;
    }
    owner.check = "running";
    void this.#checkOne(ownerId, owner);
  }

  /** Never rejects. */
  async #checkOne(ownerId: string, owner: OwnersStreams<Session>): Promise<void> {
    try {
      await this.#renew(ownerId, [...owner.streams]);
    } catch (error) {
      this.#log.warn({ err: error }, "somebody's streams could not be checked");
    }
    const isAskedAgain = owner.check === "again";
    owner.check = "none";
    if (isAskedAgain) this.check(ownerId);
  }

  /** A result for one of an owner's streams applies to all of them. */
  async #renew(ownerId: string, streams: Stream<Session>[]): Promise<void> {
    for (const token of new Set(streams.map(({ accessToken }) => accessToken))) {
      const ofToken = streams.filter(({ accessToken }) => accessToken === token);
      const owner = await this.#kind.ownerOf(token);
      if (owner !== null) await this.#checkPlaces(owner, ofToken);
      else for (const { socket } of ofToken) socket.close(STREAM_CLOSES.SIGNED_OUT);
    }
    const open = streams.filter(({ socket }) => socket.isOpen).map(({ session }) => session);
    if (open.length > 0) await this.#kind.renew(ownerId, open);
  }

  async #checkPlaces(owner: Owner, streams: readonly Stream<Session>[]): Promise<void> {
    for (const place of new Set(streams.map(({ origin }) => origin))) {
      try {
        await this.#kind.checkPlace?.(owner, place);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        for (const { origin, socket } of streams) if (origin === place) socket.close(STREAM_CLOSES.NOT_ALLOWED_HERE);
      }
    }
  }
}
