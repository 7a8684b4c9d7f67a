import type { CustomerSession } from "@portico/protocol";
import { type DeskNews, type News, type NewsWatcher, newsOf } from "../../../domain/customer-service/live/desk-news.ts";
import { OutboundQueue } from "../../../domain/customer-service/live/outbound-queue.ts";
import { markRead } from "../../../domain/customer-service/mark-read.ts";
import { type CustomerMessageRow, visitorKey } from "../../../domain/customer-service/message-store.ts";
import { findReadMarks } from "../../../domain/customer-service/read-store.ts";
import { listNewestSessions, toSession } from "../../../domain/customer-service/session-store.ts";
import type { VisitorRow } from "../../../domain/customer-service/visitor-store.ts";
import { writeJson } from "../../../platform/http/json-text.ts";
import type { ClientSocket } from "../../../platform/streams/client-socket.ts";
import type { Feeds } from "../../../platform/streams/feeds.ts";
import { Follower } from "../../../platform/streams/follower.ts";
import { LOOKING_COSTS } from "../../../platform/streams/frame-allowance.ts";
import { isSeq, readFrame } from "../../../platform/streams/read-frame.ts";
import type { StreamSession } from "../../../platform/streams/stream-kind.ts";
import type { Context } from "../../common/context.ts";
import { toWidgetMessage } from "../widget-message.ts";

/** The minimum interval between two typing notifications. */
const TYPING_EVERY_MS = 1_000;

/** A visitor's open stream: messages to and from the visitor, and changes of their session. */
export class VisitorStreamSession implements StreamSession, NewsWatcher {
  readonly #ctx: Context;
  readonly #appId: string;
  readonly #visitorId: string;
  readonly #news: DeskNews;
  readonly #messages: Follower<CustomerMessageRow>;
  readonly #onClosed: () => void;
  readonly #outbound: OutboundQueue;
  /** The newest session in the state that the client knows. */
  #session: CustomerSession | null = null;
  #socket: ClientSocket | null = null;
  #typedAt = 0;
  #readSeq = 0;
  #closed = false;

  /** @param onClosed called once, when the stream has ended. */
  constructor(
    ctx: Context,
    { appId, visitorId }: VisitorRow,
    { news, feeds }: { news: DeskNews; feeds: Feeds<CustomerMessageRow> },
    onClosed: () => void,
  ) {
    this.#ctx = ctx;
    this.#appId = appId;
    this.#visitorId = visitorId;
    this.#news = news;
    this.#onClosed = onClosed;
    this.#outbound = new OutboundQueue(ctx.log);
    this.#messages = new Follower({
      ownerId: visitorId,
      feeds,
      turns: ctx.turns,
      log: ctx.log,
      write: (_key, row) => writeJson({ type: "message.created", message: toWidgetMessage(row) }),
    });
  }

  get ownerId(): string {
    return this.#visitorId;
  }

  get #key(): string {
    return visitorKey(this.#visitorId);
  }

  async begin(): Promise<void> {
    this.#news.watch(newsOf("visitor", this.#visitorId), this);
    if (this.#closed) this.#news.unwatch(newsOf("visitor", this.#visitorId), this);
    await this.#messages.follow([this.#key]);
    await this.#outbound.result(() => this.#look());
  }

  attach(socket: ClientSocket): void {
    if (this.#closed) return;
    this.#socket = socket;
    this.#outbound.attach(socket);
    this.#messages.attach(socket);
    const { signsOfLife } = this.#ctx;
    socket.onSignOfLife = () => signsOfLife.visitor(this.#visitorId);
    signsOfLife.visitor(this.#visitorId);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#outbound.close();
    this.#news.unwatch(newsOf("visitor", this.#visitorId), this);
    this.#messages.close();
    this.#onClosed();
  }

  /** Looks for missed changes, because notifications between processes can be lost. */
  renew(): void {
    this.#outbound.run(() => this.#look());
  }

  hear(_appId: string, news: News): void {
    switch (news.type) {
      case "session":
        this.#outbound.run(async () => {
          // Messages sent before this change must arrive before it.
          await this.#messages.flush(this.#key);
          this.#session = news.session;
          await this.#outbound.send({ type: "session.changed", session: news.session, change: news.change });
        });
        return;
      case "typing":
        if (news.by === "AGENT") this.#outbound.mention({ type: "typing" });
        return;
      case "read":
        if (news.by === "AGENT") this.#outbound.mention({ type: "read", seq: news.seq });
    }
  }

  async take(text: string): Promise<boolean> {
    const frame = readFrame(text);
    switch (frame?.type) {
      case "resume":
        if (!isSeq(frame.afterSeq)) return false;
        if (this.#socket?.spend(LOOKING_COSTS) === false) return true;
        await this.#messages.resume(new Map([[this.#key, frame.afterSeq]]));
        await this.#tellRead();
        return true;
      case "typing":
        this.#typing();
        return true;
      case "read":
        if (!isSeq(frame.seq)) return false;
        await this.#read(frame.seq);
        return true;
      default:
        return false;
    }
  }

  /** Sends the agents' read mark to a client that reconnects. */
  async #tellRead(): Promise<void> {
    const marks = await findReadMarks(this.#ctx.storage.db, [this.#visitorId]);
    const seq = marks.get(this.#visitorId)?.AGENT ?? 0;
    if (seq > 0) this.#outbound.run(() => this.#outbound.send({ type: "read", seq }));
  }

  #typing(): void {
    const now = this.#ctx.clock.now();
    const session = this.#session;
    if (session === null || session.status === "CLOSED" || Math.abs(now - this.#typedAt) < TYPING_EVERY_MS) return;
    this.#typedAt = now;
    this.#ctx.deskLive.typing(this.#appId, this.#visitorId, session.sessionId, "VISITOR");
  }

  async #read(seq: number): Promise<void> {
    if (seq <= this.#readSeq) return;
    const mark = { appId: this.#appId, visitorId: this.#visitorId, by: "VISITOR", seq } as const;
    this.#readSeq = await markRead(this.#ctx, mark);
  }

  /** Reads the newest session, and reports changes whose notification was lost. */
  async #look(): Promise<void> {
    const { db } = this.#ctx.storage;
    const [row] = await listNewestSessions(db, this.#visitorId, 1);
    if (row === undefined) return;
    const [before, session] = [this.#session, await toSession(db, row)];
    this.#session = session;
    const isSame =
      before?.sessionId === session.sessionId && before.status === session.status && before.agentId === session.agentId;
    if (isSame || this.#socket === null) return;
    await this.#messages.flush(this.#key);
    const change = { QUEUED: "created", ACTIVE: "assigned", CLOSED: "closed" }[session.status];
    await this.#outbound.send({ type: "session.changed", session, change });
  }
}
