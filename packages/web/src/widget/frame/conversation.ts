import { ApiRefusedError } from "@portico/protocol/client/errors";
import type { WidgetMessage } from "@portico/protocol/schemas";
import { call } from "./calls.ts";
import { type Credentials, isDisabled } from "./credentials.ts";
import { LiveConnection } from "./live-connection.ts";
import { type Draft, Outbox } from "./outbox.ts";
import { QueuePlace } from "./queue-place.ts";
import { Sender } from "./sender.ts";
import { BEGINNING, type Snapshot } from "./snapshot.ts";
import { LASTS } from "./storage.ts";
import { Typing } from "./typing.ts";

const PAGE = 50;
/** A conversation that could not be read is read again after this time, then after twice that, up to the longest. */
const BEGUN_AGAIN_MS = 5_000;
const MAX_BEGUN_AGAIN_MS = 120_000;

/** What a conversation tells. */
export interface ConversationListener {
  onChange(snapshot: Snapshot): void;
  /** Somebody else has written. */
  onMessage(): void;
  /** The visitor has signed out elsewhere: nothing of theirs is to be left here. */
  onForgotten(): void;
}

/** The conversation of one visitor, followed live. */
export class Conversation {
  readonly #appId: string;
  readonly #credentials: Credentials;
  readonly #listener: ConversationListener;
  #snapshot = BEGINNING;
  #outbox: Outbox;
  #sender: Sender;
  #live: LiveConnection | null = null;
  #beginTimer = 0;
  #isBeginning = false;
  #tries = 0;
  readonly #typing = new Typing((isAgentTyping) => this.#change({ isAgentTyping }));
  readonly #place = new QueuePlace(
    () => this.#authorised((token) => call("getSession", token)),
    (session) => {
      const { session: known } = this.#snapshot;
      if (session.sessionId === known?.sessionId && known.status === "QUEUED") this.#change({ session });
    },
  );
  #isVisible = false;
  #isClosed = false;

  constructor(appId: string, credentials: Credentials, listener: ConversationListener) {
    this.#appId = appId;
    this.#credentials = credentials;
    this.#listener = listener;
    this.#outbox = this.#firstOutbox();
    this.#sender = this.#senderOf(this.#outbox);
    void this.#begin();
  }

  get snapshot(): Snapshot {
    return this.#snapshot;
  }

  /** The last message that is there. */
  get lastSeq(): number {
    return this.#snapshot.messages.at(-1)?.seq ?? 0;
  }

  /** How many messages of others have not been read. */
  get unread(): number {
    const { messages, readSeq } = this.#snapshot;
    return messages.filter(({ seq, senderType }) => senderType !== "VISITOR" && seq > readSeq).length;
  }

  /** Sends messages, all or none: false when too many wait. */
  send(drafts: readonly Draft[]): boolean {
    if (!this.#outbox.add(drafts)) return false;
    this.#change({ outgoing: this.#outbox.items });
    void this.#sender.run();
    return true;
  }

  /** Tries a message again that has failed. */
  retry(clientMessageId: string): void {
    this.#outbox.mark(clientMessageId, "queued");
    this.#change({ outgoing: this.#outbox.items });
    void this.#sender.run();
  }

  /** Gives up a message that has failed. */
  discard(clientMessageId: string): void {
    this.#outbox.remove(clientMessageId);
    this.#change({ outgoing: this.#outbox.items });
  }

  /** The network may be back. */
  check(): void {
    if (this.#snapshot.phase === "failed" || (this.#live === null && this.#credentials.isKnown)) void this.#begin();
    this.#live?.check();
    void this.#sender.run();
  }

  /** Says that the visitor writes. */
  typing(): void {
    if (this.#typing.isToBeTold()) this.#live?.send({ type: "typing" });
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
    const { items } = await this.#authorised((token) =>
      call("listMessages", token, { query: { beforeSeq, limit: PAGE } }),
    );
    if (this.#snapshot.messages[0]?.seq !== beforeSeq) return;
    const messages = [...items, ...this.#snapshot.messages];
    this.#change({ messages, hasEarlier: (messages[0]?.seq ?? 1) > 1 });
  }

  /** Rates the session that was closed. */
  async rate(rating: number, comment: string): Promise<void> {
    const { session } = this.#snapshot;
    if (session === null) return;
    const { sessionId } = session;
    const body = { rating, sessionId, comment: comment.trim() === "" ? null : comment };
    const rated = await this.#authorised((token) => call("rateSession", token, { body }));
    if (this.#snapshot.session?.sessionId === sessionId) this.#change({ session: rated });
  }

  /** Ends the visitor's tokens at the service, and forgets them here; false when that did not suffice. */
  async signOut(): Promise<boolean> {
    try {
      const isSomebody = this.#credentials.isKnown && (await this.#credentials.token()) !== null;
      if (isSomebody) await this.#authorised((token) => call("signOut", token));
      return true;
    } catch (error) {
      // Without storage a cookie keeps the visitor, which only the service can take away.
      return LASTS || isForGood(error);
    } finally {
      this.#outbox.clear();
      this.#credentials.forget();
      this.close();
    }
  }

  /** Lets go of everything. */
  close(): void {
    this.#isClosed = true;
    this.#live?.close();
    this.#sender.close();
    clearTimeout(this.#beginTimer);
    this.#typing.close();
    this.#place.close();
  }

  /** Of somebody without a name, who is always the same here, texts are kept; of one whom the site names, once it is known who. */
  #firstOutbox(): Outbox {
    return new Outbox(this.#appId, this.#credentials.areOfSite ? null : "new");
  }

  async #begin(): Promise<void> {
    if (this.#isBeginning || this.#isClosed) return;
    clearTimeout(this.#beginTimer);
    this.#isBeginning = true;
    try {
      const token = this.#credentials.isKnown ? await this.#credentials.token() : null;
      if (this.#isClosed) return;
      if (token !== null) await this.#open();
      this.#tries = 0;
      if (token !== null) return;
      this.#change({ phase: "ready", outgoing: this.#outbox.items });
      void this.#sender.run();
    } catch (error) {
      this.#fail(error);
      if (this.#isClosed || isForGood(error)) return;
      const delayMs = Math.min(MAX_BEGUN_AGAIN_MS, BEGUN_AGAIN_MS * 2 ** Math.min(this.#tries++, 8));
      // Not every page that is open at the same time, when a service comes back.
      this.#beginTimer = window.setTimeout(() => void this.#begin(), delayMs * (0.5 + Math.random() / 2));
    } finally {
      this.#isBeginning = false;
    }
  }

  /** Reads where the conversation stands, and follows it from there. */
  async #open(): Promise<void> {
    const { visitor, session } = await this.#authorised((token) => call("getSession", token));
    const page = await this.#authorised((token) => call("listMessages", token, { query: { limit: PAGE } }));
    if (this.#isClosed || this.#live !== null) return;
    const outbox = new Outbox(this.#appId, visitor.visitorId);
    // What somebody without a name wrote before they became a visitor goes with them.
    outbox.adopt(this.#outbox);
    for (const { clientMessageId } of page.items) if (clientMessageId !== null) outbox.remove(clientMessageId);
    this.#sender.close();
    this.#outbox = outbox;
    this.#sender = this.#senderOf(outbox);
    const { items: messages, readSeq, agentReadSeq } = page;
    const hasEarlier = (messages[0]?.seq ?? 1) > 1;
    this.#change({
      phase: "ready",
      messages,
      hasEarlier,
      session,
      readSeq,
      agentReadSeq,
      outgoing: this.#outbox.items,
    });
    this.#follow();
    void this.#sender.run();
  }

  #follow(): void {
    this.#live = new LiveConnection(this.#credentials, this.lastSeq, {
      onMessage: (message) => this.#take(message),
      onSession: (session) => {
        this.#change({ session, isAgentTyping: false });
        this.#askForPlace();
      },
      onTyping: () => this.#typing.show(),
      onRead: (seq) => this.#change({ agentReadSeq: Math.max(seq, this.#snapshot.agentReadSeq) }),
      onState: (isConnected) => {
        this.#change({ isConnected });
        if (isConnected) void this.#sender.run();
      },
      onSignedOut: () => this.#beginAnew(),
      onDisabled: (error) => this.#fail(error),
    });
    this.#read();
    this.#askForPlace();
  }

  /** The visitor has signed out in another tab: nothing is left of the conversation here. */
  #beginAnew(): void {
    this.#live?.close();
    this.#live = null;
    this.#sender.close();
    this.#outbox.clear();
    this.#outbox = this.#firstOutbox();
    this.#sender = this.#senderOf(this.#outbox);
    this.#typing.close();
    this.#listener.onForgotten();
    this.#change({ ...BEGINNING, phase: "ready" });
    this.#askForPlace();
  }

  #take(message: WidgetMessage): void {
    if (message.seq <= this.lastSeq) return;
    if (message.clientMessageId !== null) this.#outbox.remove(message.clientMessageId);
    const isOwn = message.senderType === "VISITOR";
    this.#change({
      messages: [...this.#snapshot.messages, message],
      outgoing: this.#outbox.items,
      ...(!isOwn && { isAgentTyping: false }),
    });
    if (!isOwn) this.#listener.onMessage();
    this.#read();
  }

  #read(): void {
    const seq = this.lastSeq;
    if (!this.#isVisible || document.hidden || seq <= this.#snapshot.readSeq) return;
    if (this.#live?.send({ type: "read", seq }) === true) this.#change({ readSeq: seq });
  }

  #askForPlace(): void {
    this.#place.follow(this.#isVisible && this.#snapshot.session?.status === "QUEUED");
  }

  #senderOf(outbox: Outbox): Sender {
    return new Sender(outbox, {
      authorised: (use) => this.#authorised(use, true),
      onChange: () => this.#change({ outgoing: outbox.items }),
      // The first message makes a visitor of somebody without a name: from now on there is something to follow.
      onSent: async (clientMessageId, seq) => {
        if (this.#live === null) return await this.#open();
        // Sent before, by a page that did not see the answer.
        if (seq <= this.lastSeq) this.discard(clientMessageId);
      },
      onRefused: (error) => {
        if (isDisabled(error)) this.#fail(error);
      },
    });
  }

  /** Makes a call with the visitor's token; with another one if that is no longer valid. */
  async #authorised<T>(use: (token: string) => Promise<T>, mayBecome = false): Promise<T> {
    for (let tries = 0; ; tries++) {
      const token = mayBecome ? await this.#credentials.tokenToWrite() : await this.#credentials.token();
      if (token === null) throw new Error("there is no visitor yet");
      // Another visitor has been named meanwhile.
      if (this.#isClosed) throw new Error("the conversation is closed");
      try {
        return await use(token);
      } catch (error) {
        const isExpired = error instanceof ApiRefusedError && error.httpStatus === 401;
        if (!isExpired || tries > 0) throw error;
        this.#credentials.refuse(token);
      }
    }
  }

  #fail(error: unknown): void {
    if (this.#isClosed) return;
    const phase = isDisabled(error) ? "disabled" : "failed";
    // What has been read stays to be seen while the connection is away.
    if (phase === "disabled" || this.#snapshot.phase === "loading") this.#change({ phase });
  }

  #change(change: Partial<Snapshot>): void {
    if (this.#isClosed) return;
    this.#snapshot = { ...this.#snapshot, ...change };
    this.#listener.onChange(this.#snapshot);
  }
}

/** Whether the service will not answer otherwise until something else changes. */
function isForGood(error: unknown): boolean {
  return error instanceof ApiRefusedError && error.httpStatus < 500 && error.httpStatus !== 429;
}
