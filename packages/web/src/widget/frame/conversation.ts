import type { WidgetMessage } from "@portico/protocol/schemas";
import { call } from "./calls.ts";
import { type Credentials, isDisabled } from "./credentials.ts";
import { LiveConnection } from "./live-connection.ts";
import { newestOf, withEarlier, withNext } from "./message-window.ts";
import type { Draft } from "./outgoing.ts";
import { QueuePlace } from "./queue-place.ts";
import { askedToWaitMs, isForGood, Retry } from "./retry.ts";
import { Sending } from "./sending.ts";
import { BEGINNING, type Snapshot } from "./snapshot.ts";
import { Typing } from "./typing.ts";
import { VisitorCalls } from "./visitor-calls.ts";

const PAGE = 50;
/** When a conversation that could not be read is read again, or its session. */
const BEGUN_AGAIN = { firstMs: 5_000, longestMs: 120_000 };

/** What a conversation tells. */
export interface ConversationListener {
  onChange(): void;
  /** Somebody else has written. */
  onMessage(): void;
  /** The visitor has signed out elsewhere: nothing of theirs is to be left here. */
  onForgotten(): void;
}

/** The conversation of one visitor, followed live. */
export class Conversation {
  readonly #credentials: Credentials;
  readonly #calls: VisitorCalls;
  readonly #listener: ConversationListener;
  readonly #sending: Sending;
  readonly #again = new Retry(BEGUN_AGAIN, () => void this.#begin());
  readonly #sessionAgain = new Retry(BEGUN_AGAIN, () => void this.#readSession());
  readonly #typing = new Typing((isAgentTyping) => this.#change({ isAgentTyping }));
  readonly #place: QueuePlace;
  #snapshot = BEGINNING;
  #live: LiveConnection | null = null;
  /** Another one whenever something is heard of the session, or asked: older answers are not taken. */
  #sessionTurn = 0;
  #isBeginning = false;
  #isVisible = false;
  #isClosed = false;

  constructor(appId: string, credentials: Credentials, listener: ConversationListener) {
    this.#credentials = credentials;
    this.#listener = listener;
    this.#calls = new VisitorCalls(credentials);
    this.#sending = new Sending(appId, credentials.areOfSite, this.#calls, {
      onChange: (outgoing) => this.#change({ outgoing }),
      onSent: (clientMessageId, seq) => this.#sent(clientMessageId, seq),
      onRefused: (error) => {
        if (isDisabled(error)) this.#fail(error);
      },
    });
    this.#place = new QueuePlace(() => this.#readSession());
    void this.#begin();
  }

  get snapshot(): Snapshot {
    return this.#snapshot;
  }

  /** Sends messages, all or none: false when too many wait. */
  send(drafts: readonly Draft[]): boolean {
    const isTaken = this.#sending.add(drafts);
    if (isTaken) this.#typing.sent();
    // What one has written is to be seen where it stands.
    if (isTaken && this.#snapshot.hasLater) void this.readNewest().catch(() => {});
    return isTaken;
  }

  /** Tries a message again that has failed. */
  retry(clientMessageId: string): void {
    this.#sending.retry(clientMessageId);
  }

  /** Gives up a message that has failed. */
  discard(clientMessageId: string): void {
    this.#sending.remove(clientMessageId);
  }

  /** The network may be back. */
  check(): void {
    const { phase } = this.#snapshot;
    const isWanting = phase === "failed" || phase === "refused";
    if (isWanting || (this.#live === null && this.#credentials.isKnown)) void this.#begin();
    this.#live?.check();
    this.#sending.run();
  }

  /** Says that the visitor writes. */
  typing(): void {
    this.#typing.tell(() => this.#live?.send({ type: "typing" }) === true);
  }

  /** Whether the visitor sees the conversation, and so reads what is in it. */
  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    this.#read();
    this.#askForPlace();
  }

  /** Reads the messages before the first one. */
  async readEarlier(): Promise<void> {
    const beforeSeq = this.#snapshot.messages[0]?.seq;
    const { items } = await this.#calls.make((token) =>
      call("listMessages", token, { query: { beforeSeq, limit: PAGE } }),
    );
    if (this.#snapshot.messages[0]?.seq === beforeSeq) this.#change(withEarlier(this.#snapshot, items));
  }

  /** Returns to the end of the conversation, for a visitor who has gone far back. */
  async readNewest(): Promise<void> {
    let newest: readonly WidgetMessage[];
    do {
      const page = await this.#calls.make((token) => call("listMessages", token, { query: { limit: PAGE } }));
      newest = page.items;
      // What has come while they were read is not among them.
    } while ((newest.at(-1)?.seq ?? 0) < this.#snapshot.lastSeq && !this.#isClosed);
    this.#change(newestOf(newest));
  }

  /** Rates the session that was closed. */
  async rate(rating: number, comment: string): Promise<void> {
    const { session } = this.#snapshot;
    if (session === null) return;
    const { sessionId } = session;
    const body = { rating, sessionId, comment: comment.trim() === "" ? null : comment };
    const rated = await this.#calls.make((token) => call("rateSession", token, { body }));
    if (this.#snapshot.session?.sessionId === sessionId) this.#become(rated);
  }

  /** The visitor has signed out in another tab: nothing is left of the conversation here. */
  forget(): void {
    this.#live?.close();
    this.#live = null;
    this.#leaveSession();
    this.#credentials.forget();
    this.#again.cancel();
    this.#typing.close();
    this.#sending.beginAnew();
    this.#listener.onForgotten();
    this.#change({ ...BEGINNING, phase: "ready" });
    this.#askForPlace();
  }

  /** Lets go of everything. */
  close(): void {
    this.#isClosed = true;
    this.#leaveSession();
    this.#calls.close();
    this.#live?.close();
    this.#sending.close();
    this.#again.cancel();
    this.#typing.close();
    this.#place.close();
  }

  async #begin(): Promise<void> {
    if (this.#isBeginning || this.#isClosed) return;
    this.#again.cancel();
    this.#isBeginning = true;
    try {
      const token = this.#credentials.isKnown ? await this.#credentials.token() : null;
      if (this.#isClosed) return;
      if (token !== null) await this.#open();
      else this.#change({ phase: "ready", outgoing: this.#sending.items });
      this.#again.succeeded();
      this.#sending.run();
    } catch (error) {
      this.#fail(error);
      if (!this.#isClosed && !isForGood(error)) this.#again.later();
    } finally {
      this.#isBeginning = false;
    }
  }

  /** Reads where the conversation stands, and follows it from there. */
  async #open(): Promise<void> {
    const { visitor, session } = await this.#calls.make((token) => call("getSession", token));
    const page = await this.#calls.make((token) => call("listMessages", token, { query: { limit: PAGE } }));
    if (this.#isClosed || this.#live !== null) return;
    const { items, readSeq, agentReadSeq } = page;
    this.#sending.become(visitor.visitorId);
    for (const { clientMessageId } of items) if (clientMessageId !== null) this.#sending.remove(clientMessageId);
    const unread = items.filter(({ seq, senderType }) => senderType !== "VISITOR" && seq > readSeq).length;
    this.#change({ ...newestOf(items), phase: "ready", session, readSeq, unread, agentReadSeq });
    this.#place.known();
    this.#live = this.#follow();
    this.#read();
    this.#askForPlace();
  }

  #follow(): LiveConnection {
    return new LiveConnection(this.#credentials, this.#snapshot.lastSeq, {
      onMessage: (message) => this.#take(message),
      onSession: (session) => {
        this.#change({ isAgentTyping: false });
        this.#become(session);
      },
      onTyping: () => this.#typing.show(),
      onRead: (seq) => this.#change({ agentReadSeq: Math.max(seq, this.#snapshot.agentReadSeq) }),
      onState: (isConnected) => {
        this.#change({ isConnected });
        this.#sessionAgain.cancel();
        if (!isConnected) return;
        this.#sending.run();
        // A stream tells what has changed since it began, and before that the session was not followed.
        void this.#readSession();
      },
      onSignedOut: () => this.forget(),
      onDisabled: (error) => this.#fail(error),
    });
  }

  /** Never rejects: what has no answer now is asked again later. */
  async #readSession(): Promise<void> {
    const turn = ++this.#sessionTurn;
    try {
      const { session } = await this.#calls.make((token) => call("getSession", token));
      if (turn === this.#sessionTurn) this.#become(session);
    } catch (error) {
      if (turn === this.#sessionTurn && !isForGood(error)) this.#sessionAgain.later(askedToWaitMs(error));
    }
  }

  /** What is still to be heard of the session concerns nobody any more. */
  #leaveSession(): void {
    this.#sessionTurn++;
    this.#sessionAgain.cancel();
  }

  #become(session: Snapshot["session"]): void {
    this.#sessionTurn++;
    this.#sessionAgain.succeeded();
    this.#change({ session });
    this.#place.known();
    this.#askForPlace();
  }

  async #sent(clientMessageId: string, seq: number): Promise<void> {
    // The first message makes a visitor of somebody without a name: from now on there is something to follow.
    if (this.#live === null) await this.#begin();
    // Sent before, by a page that did not see the answer.
    else if (seq <= this.#snapshot.lastSeq) this.discard(clientMessageId);
  }

  #take(message: WidgetMessage): void {
    if (message.seq <= this.#snapshot.lastSeq) return;
    if (message.clientMessageId !== null) this.#sending.remove(message.clientMessageId);
    const isOwn = message.senderType === "VISITOR";
    const { unread } = this.#snapshot;
    const ofOther = { isAgentTyping: false, unread: unread + 1 };
    this.#change({ ...withNext(this.#snapshot, message), ...(!isOwn && ofOther) });
    if (!isOwn) this.#listener.onMessage();
    this.#read();
  }

  #read(): void {
    const { lastSeq, readSeq } = this.#snapshot;
    if (!this.#isVisible || document.hidden || lastSeq <= readSeq) return;
    if (this.#live?.send({ type: "read", seq: lastSeq }) === true) this.#change({ readSeq: lastSeq, unread: 0 });
  }

  #askForPlace(): void {
    const isQueued = this.#snapshot.session?.status === "QUEUED";
    this.#place.follow(isQueued && this.#isVisible && !document.hidden);
  }

  #fail(error: unknown): void {
    const phase = isDisabled(error) ? "disabled" : isForGood(error) ? "refused" : "failed";
    // What has been read stays to be seen while the connection is away.
    if (phase === "disabled" || this.#snapshot.phase !== "ready") this.#change({ phase });
  }

  #change(change: Partial<Snapshot>): void {
    if (this.#isClosed) return;
    this.#snapshot = { ...this.#snapshot, ...change };
    this.#listener.onChange();
  }
}
