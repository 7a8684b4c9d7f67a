import type { ClientMessage } from "@portico/protocol/schemas";
import { type MessageList, newestPage, withChanges, withEarlier } from "./message-list.ts";
import { type Deliver, type Draft, Outbox, type Outgoing } from "./outbox.ts";

const PAGE = 50;

/** Reads a page of a conversation backwards: the newest before a place. */
export type ReadPage = (beforeSeq: number | undefined, limit: number) => Promise<readonly ClientMessage[]>;

/** What of a conversation is to be drawn; another object whenever something in it has changed. */
export interface LogSnapshot extends MessageList {
  readonly outgoing: readonly Outgoing[];
  readonly reading: "first" | "earlier" | "idle" | "failed";
  readonly error: unknown;
}

/** An open conversation: its messages, those on their way, and what is being read of it. */
export class ConversationLog {
  readonly #readPage: ReadPage;
  readonly #onChange: () => void;
  readonly #outbox: Outbox;
  #list: MessageList = { messages: [], hasEarlier: false };
  #reading: LogSnapshot["reading"] = "first";
  #error: unknown = null;
  /** What came over the stream while the first page was read. */
  #early: ClientMessage[] | null = [];
  /** What came over the stream while an earlier page was read. */
  #meanwhile: ClientMessage[] = [];
  #snapshot: LogSnapshot;

  constructor(readPage: ReadPage, deliver: Deliver, onChange: () => void) {
    this.#readPage = readPage;
    this.#onChange = onChange;
    this.#outbox = new Outbox(deliver, () => this.#outboxChanged());
    this.#snapshot = this.#takeSnapshot();
    void this.readFirst();
  }

  get snapshot(): LogSnapshot {
    return this.#snapshot;
  }

  /** Reads the newest page; again after a failure. */
  async readFirst(): Promise<void> {
    this.#enter("first");
    try {
      const items = await this.#readPage(undefined, PAGE);
      this.#list = withChanges(newestPage(items), this.#early ?? []);
      this.#early = null;
      this.#enter("idle");
    } catch (error) {
      this.#enter("failed", error);
    }
  }

  /** Reads the page before the oldest message; does nothing while one is being read. */
  async readEarlier(): Promise<void> {
    const before = this.#list.messages[0]?.msgSeq;
    const isFree = this.#reading === "idle" || this.#reading === "failed";
    if (!isFree || !this.#list.hasEarlier || before === undefined) return;
    this.#enter("earlier");
    try {
      const items = await this.#readPage(before, PAGE);
      // What changed while the page was read may be older in it.
      this.#list = withChanges(withEarlier(this.#list, items), this.#meanwhile);
      this.#enter("idle");
    } catch (error) {
      this.#enter("failed", error);
    }
    this.#meanwhile = [];
  }

  /** Takes up what the stream told, in its order. */
  apply(changed: readonly ClientMessage[]): void {
    if (this.#early === null) this.#list = withChanges(this.#list, changed);
    else this.#early.push(...changed);
    if (this.#reading === "earlier") this.#meanwhile.push(...changed);
    this.#outbox.settle(changed);
    this.#changed();
  }

  send(draft: Draft): void {
    this.#outbox.send(draft);
  }

  retry(clientMessageId: string): void {
    this.#outbox.retry(clientMessageId);
  }

  giveUp(clientMessageId: string): void {
    this.#outbox.giveUp(clientMessageId);
  }

  /** The answer to a send may come after the stream has told of the message. */
  #outboxChanged(): void {
    const isSettled = this.#outbox.settle(this.#list.messages.slice(-PAGE));
    // Settling something has told of it already.
    if (!isSettled) this.#changed();
  }

  #enter(reading: LogSnapshot["reading"], error: unknown = null): void {
    this.#reading = reading;
    this.#error = error;
    this.#changed();
  }

  #changed(): void {
    this.#snapshot = this.#takeSnapshot();
    this.#onChange();
  }

  #takeSnapshot(): LogSnapshot {
    return { ...this.#list, outgoing: this.#outbox.items, reading: this.#reading, error: this.#error };
  }
}
