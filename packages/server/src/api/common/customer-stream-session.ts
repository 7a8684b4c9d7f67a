import type { Logger } from "pino";
import type { DeskHub } from "../../domain/customer-service/desk-hub.ts";
import type { DeskNews, News, NewsWatcher } from "../../domain/customer-service/live/desk-news.ts";
import { FoundChanges } from "../../domain/customer-service/live/found-changes.ts";
import { OutboundQueue } from "../../domain/customer-service/live/outbound-queue.ts";
import type { CustomerMessageRow } from "../../domain/customer-service/message-store.ts";
import type { PresenceTracker } from "../../domain/customer-service/presence-tracker.ts";
import type { Reader } from "../../domain/customer-service/read-store.ts";
import { writeJson } from "../../platform/http/json-text.ts";
import type { EventLoopTurns } from "../../platform/limits/event-loop-turns.ts";
import type { ClientSocket } from "../../platform/streams/client-socket.ts";
import type { Feeds } from "../../platform/streams/feeds.ts";
import { Follower } from "../../platform/streams/follower.ts";
import type { StreamSession } from "../../platform/streams/stream-kind.ts";
import type { RouteParts } from "./parts.ts";

/** What the streams of customer service need. */
export interface CustomerStreamParts extends RouteParts {
  log: Logger;
  deskLive: DeskHub;
  presenceTracker: PresenceTracker;
  /** Schedules the work that stream clients request. */
  turns: EventLoopTurns;
}

/** What all streams of one kind read from. */
export interface CustomerStreamSources {
  news: DeskNews;
  feeds: Feeds<CustomerMessageRow>;
}

/** The minimum interval between two typing notifications. */
const TYPING_EVERY_MS = 1_000;

/** What an agent's open stream and a visitor's have in common: they follow visitors' messages, and news of sessions. */
export abstract class CustomerStreamSession implements StreamSession, NewsWatcher {
  readonly ownerId: string;
  protected readonly parts: CustomerStreamParts;
  protected readonly messages: Follower<CustomerMessageRow>;
  protected readonly outbound: OutboundQueue;
  protected readonly found = new FoundChanges();
  protected socket: ClientSocket | null = null;
  protected closed = false;
  readonly #news: DeskNews;
  readonly #watched = new Set<string>();
  readonly #onClosed: () => void;
  #typedAt = 0;

  /** @param onClosed called once, when the stream has ended. */
  constructor(
    parts: CustomerStreamParts,
    ownerId: string,
    { news, feeds }: CustomerStreamSources,
    onClosed: () => void,
  ) {
    const { turns, log } = parts;
    this.parts = parts;
    this.ownerId = ownerId;
    this.#news = news;
    this.#onClosed = onClosed;
    this.outbound = new OutboundQueue(log);
    const write = (_key: string, row: CustomerMessageRow) =>
      writeJson({ type: "message.created", ...this.fieldsOf(row) });
    this.messages = new Follower({ ownerId, feeds, turns, log, write });
  }

  abstract begin(): Promise<void>;
  abstract hear(appId: string, news: News): void;
  abstract receive(text: string): Promise<boolean>;

  /** The message as this side sees it, and with which fields beside it. */
  protected abstract fieldsOf(row: CustomerMessageRow): object;
  /** The client has shown that it is still there. */
  protected abstract recordHeartbeat(): void;
  /** Reads what the stream is about, and reports changes whose notification was lost. */
  protected abstract refresh(): Promise<void>;

  attach(socket: ClientSocket): void {
    if (this.closed) return;
    this.socket = socket;
    this.outbound.attach(socket);
    this.messages.attach(socket);
    socket.onHeartbeat = () => this.recordHeartbeat();
    this.recordHeartbeat();
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.outbound.close();
    for (const subject of this.#watched) this.#news.unwatch(subject, this);
    this.messages.close();
    this.#onClosed();
  }

  /** Looks for missed changes, because notifications between processes can be lost. */
  renew(): void {
    this.outbound.run(() => this.refresh());
  }

  /** Has {@link hear} called with the news of a subject. Resolves when none can be missed. */
  protected async watch(subject: string): Promise<void> {
    if (this.closed || this.#watched.has(subject)) return;
    this.#watched.add(subject);
    await this.#news.watch(subject, this);
  }

  protected unwatch(subject: string): void {
    if (this.#watched.delete(subject)) this.#news.unwatch(subject, this);
  }

  /** Tells the other side that this one is typing; what comes too soon after the last time is not passed on. */
  protected tellTyping(appId: string, visitorId: string, sessionId: number, by: Reader): void {
    const now = this.parts.clock.now();
    if (Math.abs(now - this.#typedAt) < TYPING_EVERY_MS) return;
    this.#typedAt = now;
    this.parts.deskLive.typing(appId, visitorId, sessionId, by);
  }
}
