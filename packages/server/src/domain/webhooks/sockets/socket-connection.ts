import { randomBytes } from "node:crypto";
import {
  type EventType,
  GOODBYE_CLOSES,
  type GoodbyeReason,
  SOCKET_LIMITS,
  type SocketNack,
  type SocketServerFrame,
  type StreamClose,
} from "@portico/protocol";
import type { Clock } from "../../../platform/clock/clock.ts";
import type { ClaimedDelivery, SocketClaim } from "../claimed-delivery.ts";
import type { LateAck } from "./late-ack.ts";

/** The most timed-out frames whose acknowledgement still counts. */
const MAX_LATE = 1_000;

/** The WebSocket of a connection. */
export interface SocketChannel {
  readonly isOpen: boolean;
  /** Whether its client keeps up with what is sent. */
  readonly takesMore: boolean;
  send(text: string): void;
  /** Resolves when the client has read nearly all. A client that reads nothing is cut off. */
  drained(): Promise<boolean>;
  /** Closes it once all that has come is dealt with. */
  finish(why: StreamClose): Promise<void>;
  terminate(): void;
}

/** How the sending of a frame ended. */
export type FrameEnd =
  | { end: "ack" }
  | { end: "nack"; nack: SocketNack }
  | { end: "timeout" }
  /** Too many connections in a row have ended with it. */
  | { end: "connection-ended" }
  /** Its delivery has been given back, for another connection. */
  | { end: "given-back" };

/** A frame without an answer. */
interface SentFrame {
  delivery: ClaimedDelivery & { socket: SocketClaim };
  timer: NodeJS.Timeout;
  resolve(end: FrameEnd): void;
}

interface ConnectionParts {
  connectionId: string;
  appId: string;
  credentialId: string;
  takes: readonly EventType[];
  channel: SocketChannel;
  clock: Clock;
  ackTimeoutMs: number;
  /** Called when there may be room that was not there before. */
  onRoom(): void;
  /** Called when an event was not answered in time; the connection gets no more before it resolves. Never rejects. */
  onTimeout(): Promise<void>;
  /** Resolves when the acknowledgement is on disk, or is lost. Never rejects. */
  onLateAck(ack: LateAck): Promise<void>;
}

/**
 * An open connection of socket mode in this process: what was sent over it and is not answered. It is `open` until a
 * goodbye, then `leaving`, when it gets no more events, but acknowledgements count, until its WebSocket has closed.
 */
export class SocketConnection {
  readonly connectionId: string;
  readonly appId: string;
  readonly credentialId: string;
  readonly takes: readonly EventType[];
  readonly #parts: ConnectionParts;
  readonly #frames = new Map<string, SentFrame>();
  /** Frames whose time is over. */
  readonly #late = new Map<string, LateAck>();
  /** Deliveries that are answered, or whose time is over, and that is not on disk yet; by their ids. */
  readonly #settling = new Set<number>();
  /** Called when nothing is being settled any more. */
  readonly #whenSettled: (() => void)[] = [];
  #leaving: GoodbyeReason | null = null;
  #isDraining = false;
  /** Events in a row whose time is over, without an answer in between. */
  #timeouts = 0;
  /** Timeouts that are being seen to. */
  #timingOut = 0;

  constructor(parts: ConnectionParts) {
    this.connectionId = parts.connectionId;
    this.appId = parts.appId;
    this.credentialId = parts.credentialId;
    this.takes = parts.takes;
    this.#parts = parts;
  }

  /** Whether the service ends it. */
  get isLeaving(): boolean {
    return this.#leaving !== null;
  }

  /** How many more events it can take now. */
  get room(): number {
    const { channel } = this.#parts;
    const isReady = channel.isOpen && !this.isLeaving && this.#timingOut === 0;
    const room = isReady ? SOCKET_LIMITS.unacknowledged - this.#frames.size : 0;
    if (room <= 0 || channel.takesMore) return room;
    this.#awaitDrained();
    return 0;
  }

  /** Sends an event at once; resolves when it is answered, its time is over, or the connection has ended. */
  sendEvent(delivery: ClaimedDelivery & { socket: SocketClaim }): Promise<FrameEnd> {
    const { clock, ackTimeoutMs } = this.#parts;
    const deliveryId = `dlv_${randomBytes(12).toString("base64url")}`;
    const { promise, resolve } = Promise.withResolvers<FrameEnd>();
    const timer = setTimeout(() => this.#timeOut(deliveryId), ackTimeoutMs);
    timer.unref();
    this.#frames.set(deliveryId, { delivery, timer, resolve });
    const { eventId, eventType, body, socket } = delivery;
    const attempt = socket.attemptCount + 1;
    this.send({ type: "event", deliveryId, eventId, eventType, timestamp: clock.now(), attempt, body });
    return promise;
  }

  send(frame: SocketServerFrame): void {
    this.#parts.channel.send(JSON.stringify(frame));
  }

  /** Takes an acknowledgement; one of an unknown frame is ignored. */
  ack(deliveryId: string): void {
    if (this.#answer(deliveryId, { end: "ack" })) return;
    const late = this.#takeLate(deliveryId);
    if (late === undefined) return;
    this.#settling.add(late.deliveryId);
    void this.#parts.onLateAck(late).then(() => this.settled(late.deliveryId));
  }

  /** Takes a refusal; one of an unknown frame, or too late, is ignored. */
  nack(nack: SocketNack): void {
    if (!this.#answer(nack.deliveryId, { end: "nack", nack })) this.#takeLate(nack.deliveryId);
  }

  /** What became of a delivery is on disk, or cannot be written. */
  settled(deliveryId: number): void {
    if (this.#settling.delete(deliveryId) && this.#settling.size === 0) this.#tellSettled();
  }

  /** Resolves when what was answered so far is on disk. */
  async allSettled(): Promise<void> {
    if (this.#settling.size > 0) await new Promise<void>((resolve) => this.#whenSettled.push(resolve));
  }

  /** Says goodbye: sends no more events, and closes once all are answered, or a little later. */
  leave(reason: GoodbyeReason): void {
    if (this.isLeaving) return;
    this.#leaving = reason;
    this.send({ type: "goodbye", reason });
    setTimeout(() => this.#closeNow(), SOCKET_LIMITS.goodbyeMs).unref();
    this.#closeIfDone();
  }

  /** Ends it at once: another process counts it as dead. */
  terminate(): void {
    this.#leaving ??= "restart";
    this.#parts.channel.terminate();
  }

  /**
   * Sees to what was not answered when the WebSocket has closed, or the service stops.
   *
   * @param isTooOften whether a delivery has ended with too many connections in a row; such a one counts as failed.
   * @returns the deliveries that are about to be settled, so that they are not given to others.
   */
  settledAtEnd(isTooOften: (claim: SocketClaim) => boolean): number[] {
    for (const [deliveryId, { delivery }] of this.#frames) {
      if (!this.isLeaving && isTooOften(delivery.socket)) this.#answer(deliveryId, { end: "connection-ended" });
    }
    const unanswered = new Set([...this.#frames.values()].map(({ delivery }) => delivery.deliveryId));
    return [...this.#settling].filter((deliveryId) => !unanswered.has(deliveryId));
  }

  /** Gives up the frames that are left: their deliveries have been given back. */
  abandon(): void {
    for (const { timer, resolve } of this.#frames.values()) {
      clearTimeout(timer);
      resolve({ end: "given-back" });
    }
    this.#frames.clear();
    this.#settling.clear();
    this.#tellSettled();
  }

  #answer(deliveryId: string, end: FrameEnd): boolean {
    const frame = this.#frames.get(deliveryId);
    if (frame === undefined) return false;
    this.#frames.delete(deliveryId);
    clearTimeout(frame.timer);
    this.#settling.add(frame.delivery.deliveryId);
    this.#timeouts = end.end === "timeout" ? this.#timeouts + 1 : 0;
    frame.resolve(end);
    this.#parts.onRoom();
    this.#closeIfDone();
    return true;
  }

  #tellSettled(): void {
    for (const resolve of this.#whenSettled.splice(0)) resolve();
  }

  /** The answer to a frame whose time is over shows that the client is there. */
  #takeLate(deliveryId: string): LateAck | undefined {
    const late = this.#late.get(deliveryId);
    if (late === undefined) return undefined;
    this.#late.delete(deliveryId);
    this.#timeouts = 0;
    this.#closeIfDone();
    return late;
  }

  #timeOut(deliveryId: string): void {
    const frame = this.#frames.get(deliveryId);
    // What a stalled connection does not answer goes to others when it has closed: that is no attempt.
    if (frame === undefined || this.#leaving === "stalled") return;
    const { deliveryId: id, eventType, socket } = frame.delivery;
    this.#late.set(deliveryId, { deliveryId: id, round: socket.round, appId: this.appId, eventType });
    const [oldest] = this.#late.keys();
    if (oldest !== undefined && this.#late.size > MAX_LATE) this.#late.delete(oldest);
    // Before the place that it leaves is filled again.
    this.#timingOut++;
    void this.#parts.onTimeout().then(() => {
      this.#timingOut--;
      this.#parts.onRoom();
    });
    this.#answer(deliveryId, { end: "timeout" });
    if (this.#timeouts >= SOCKET_LIMITS.timeoutsInARow) this.leave("stalled");
  }

  /** A client that was stalled may wake up in time to answer what it has. */
  #closeIfDone(): void {
    const isDone = this.#frames.size === 0 && (this.#leaving !== "stalled" || this.#late.size === 0);
    if (this.isLeaving && isDone) this.#closeNow();
  }

  #closeNow(): void {
    if (this.#leaving !== null) void this.#parts.channel.finish(GOODBYE_CLOSES[this.#leaving]);
  }

  #awaitDrained(): void {
    if (this.#isDraining) return;
    this.#isDraining = true;
    void this.#parts.channel.drained().then(() => {
      this.#isDraining = false;
      this.#parts.onRoom();
    });
  }
}
