import type { CustomerSession } from "@portico/protocol";
import { subject } from "../../../domain/customer-service/desk-hint.ts";
import type { News } from "../../../domain/customer-service/live/desk-news.ts";
import { markRead } from "../../../domain/customer-service/mark-read.ts";
import { type CustomerMessageRow, visitorKey } from "../../../domain/customer-service/message-store.ts";
import { findReadMarks } from "../../../domain/customer-service/read-store.ts";
import { listNewestSessions } from "../../../domain/customer-service/session-store.ts";
import { toSession } from "../../../domain/customer-service/session-view.ts";
import type { VisitorRow } from "../../../domain/customer-service/visitor-store.ts";
import { EXTRA_READ_COST } from "../../../platform/streams/frame-allowance.ts";
import { isSeq, readFrame } from "../../../platform/streams/read-frame.ts";
import {
  type CustomerStreamParts,
  CustomerStreamSession,
  type CustomerStreamSources,
} from "../../common/customer-stream-session.ts";
import { toWidgetMessage } from "../widget-message.ts";

/** A visitor's open stream: messages to and from the visitor, and changes of their session. */
export class VisitorStreamSession extends CustomerStreamSession {
  readonly #appId: string;
  readonly #key: string;
  /** The newest session in the state that the client knows. */
  #session: CustomerSession | null = null;
  #readSeq = 0;

  /** @param onClosed called once, when the stream has ended. */
  constructor(
    parts: CustomerStreamParts,
    { appId, visitorId }: VisitorRow,
    sources: CustomerStreamSources,
    onClosed: () => void,
  ) {
    super(parts, visitorId, sources, onClosed);
    this.#appId = appId;
    this.#key = visitorKey(visitorId);
  }

  async begin(): Promise<void> {
    await this.watch(subject("visitor", this.ownerId));
    await this.messages.follow([this.#key]);
    await this.outbound.result(() => this.refresh());
  }

  hear(_appId: string, news: News): void {
    switch (news.type) {
      case "session":
        this.outbound.run(async () => {
          if (this.found.includes(news.session.sessionId, news.version)) return;
          // Messages sent before this change must arrive before it.
          await this.messages.flush(this.#key);
          this.#session = news.session;
          await this.outbound.send({ type: "session.changed", session: news.session, change: news.change });
        });
        return;
      case "typing":
        if (news.by === "AGENT") this.outbound.mention({ type: "typing" });
        return;
      case "read":
        if (news.by === "AGENT") this.outbound.mention({ type: "read", seq: news.seq });
    }
  }

  async receive(text: string): Promise<boolean> {
    const frame = readFrame(text);
    switch (frame?.type) {
      case "resume":
        if (!isSeq(frame.afterSeq)) return false;
        if (this.socket?.spend(EXTRA_READ_COST) === false) return true;
        await this.messages.resume(new Map([[this.#key, frame.afterSeq]]));
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

  protected fieldsOf(row: CustomerMessageRow): object {
    return { message: toWidgetMessage(row) };
  }

  protected recordHeartbeat(): void {
    this.parts.presenceTracker.visitor(this.ownerId);
  }

  /** Sends the agents' read mark to a client that reconnects. */
  async #tellRead(): Promise<void> {
    const marks = await findReadMarks(this.parts.storage.db, [this.ownerId]);
    const seq = marks.get(this.ownerId)?.AGENT ?? 0;
    if (seq > 0) this.outbound.run(() => this.outbound.send({ type: "read", seq }));
  }

  #typing(): void {
    const session = this.#session;
    if (session === null || session.status === "CLOSED") return;
    this.tellTyping(this.#appId, this.ownerId, session.sessionId, "VISITOR");
  }

  async #read(seq: number): Promise<void> {
    if (seq <= this.#readSeq) return;
    const mark = { appId: this.#appId, visitorId: this.ownerId, by: "VISITOR", seq } as const;
    this.#readSeq = await markRead(this.parts, mark);
  }

  /** Reads the newest session. */
  protected async refresh(): Promise<void> {
    const { db } = this.parts.storage;
    const [row] = await listNewestSessions(db, this.ownerId, 1);
    if (row === undefined) return;
    const [before, session] = [this.#session, await toSession(db, row)];
    this.#session = session;
    const isSame =
      before?.sessionId === session.sessionId && before.status === session.status && before.agentId === session.agentId;
    if (isSame || this.socket === null) return;
    await this.messages.flush(this.#key);
    const change = { QUEUED: "created", ACTIVE: "assigned", CLOSED: "closed" }[session.status];
    this.found.add(session.sessionId, row.version);
    await this.outbound.send({ type: "session.changed", session, change });
  }
}
