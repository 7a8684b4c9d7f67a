import type { LogMessage } from "./log-message.ts";
import { keptAround, type MessageList, newestPage, withChanges, withEarlier, withLater } from "./message-list.ts";
import { type Deliver, type Draft, Outbox, type Outgoing } from "./outbox.ts";

const PAGE = 50;
/** If more comes while a page is read, the page is read again. */
const MOST_MEANWHILE = 1_000;
/** Until something has been read, nobody can say that nothing was said. */
const NOTHING: MessageList<never> = { messages: [], hasEarlier: true, hasLater: false };

/** What a log reads from the service. */
export interface LogSource<M extends LogMessage> {
  /** A page backwards: the newest messages before a place. */
  readBefore(beforeSeq: number | undefined, limit: number): Promise<readonly M[]>;
  /** A page forwards: the messages that were changed after a place, in the order of the changes. */
  readAfter(afterSeq: number, limit: number): Promise<{ messages: readonly M[]; upTo: number }>;
  /** A page with what is around a place, and the place of the newest message; where pages can be opened at a message. */
  readAround?(msgSeq: number, limit: number): Promise<{ messages: readonly M[]; newestSeq: number }>;
}

/** What is being read of a conversation. */
type Reading = "first" | "earlier" | "later" | "idle" | "failed";

/** What can be read of it: what takes the place of all that is there, or goes on from it. */
type Part = "first" | "around" | "earlier" | "later";

/** What of a conversation is to be drawn; another object whenever something in it has changed. */
export interface LogSnapshot<M extends LogMessage> extends MessageList<M> {
  readonly outgoing: readonly Outgoing[];
  readonly reading: Reading;
  readonly error: unknown;
}

/**
 * An open conversation: the part of its messages that is near what is looked at, those on their way, and what is being
 * read of it.
 */
export class ConversationLog<M extends LogMessage> {
  readonly #source: LogSource<M>;
  readonly #onChange: () => void;
  readonly #outbox: Outbox;
  /** Null until the newest page has been read. */
  #list: MessageList<M> | null = null;
  #reading: Reading = "idle";
  #error: unknown = null;
  /** What is being read, or was when it failed. */
  #what: Part = "first";
  /** The place that the page around was last asked for. */
  #aroundSeq = 0;
  /** Counts what has been begun; what is no longer the latest has been given up. */
  #turn = 0;
  /** What came over the stream while a page was read, which may be older than that. */
  #meanwhile: M[] = [];
  /** The newest message that has been heard of, */
  #newestSeq = 0;
  /** and the change up to which a list that ends before it has been read. */
  #readUpTo = 0;
  #isShown = false;
  #snapshot: LogSnapshot<M>;

  constructor(source: LogSource<M>, deliver: Deliver, onChange: () => void) {
    this.#source = source;
    this.#onChange = onChange;
    this.#outbox = new Outbox(deliver, () => this.#changed());
    this.#snapshot = this.#takeSnapshot();
    void this.readNewest();
  }

  get snapshot(): LogSnapshot<M> {
    return this.#snapshot;
  }

  /** Reads the newest page, which takes the place of what the log has. */
  async readNewest(): Promise<void> {
    if (this.#reading === "first" && this.#what === "first") return;
    await this.#read("first", async () => {
      const items = await this.#source.readBefore(undefined, PAGE);
      return () => newestPage(items);
    });
  }

  /** Has the message at a place among what is drawn: reads the page around it, unless the log has it. */
  async readAround(msgSeq: number): Promise<void> {
    const { readAround } = this.#source;
    const hasIt = this.#list?.messages.some((message) => message.msgSeq === msgSeq) === true;
    if (readAround === undefined || hasIt) return;
    this.#aroundSeq = msgSeq;
    await this.#read("around", async () => {
      const { messages, newestSeq } = await readAround(msgSeq, PAGE);
      return () => {
        const last = messages.at(-1)?.msgSeq ?? 0;
        this.#newestSeq = Math.max(this.#newestSeq, newestSeq);
        this.#readUpTo = last;
        return { messages, hasEarlier: (messages[0]?.msgSeq ?? 1) > 1, hasLater: last < this.#newestSeq };
      };
    });
  }

  /** Reads the page before the oldest message; does nothing while something is being read. */
  async readEarlier(): Promise<void> {
    const list = this.#list;
    const before = list?.messages[0]?.msgSeq;
    if (!this.#isFree || list?.hasEarlier !== true || before === undefined) return;
    await this.#read("earlier", async () => {
      const items = await this.#source.readBefore(before, PAGE);
      return (now) => withEarlier(now, items);
    });
  }

  /** Reads the page after the newest message that the log has; does nothing while something is being read. */
  async readLater(): Promise<void> {
    if (!this.#isFree || this.#list?.hasLater !== true) return;
    await this.#read("later", async () => {
      const { messages, upTo } = await this.#source.readAfter(this.#readUpTo, PAGE);
      return (now) => {
        this.#readUpTo = upTo;
        return withLater(now, messages, this.#newestSeq);
      };
    });
  }

  /** Reads again what could not be read. */
  async readAgain(): Promise<void> {
    if (this.#reading !== "failed") return;
    if (this.#what === "first") await this.readNewest();
    else if (this.#what === "around") await this.readAround(this.#aroundSeq);
    else if (this.#what === "earlier") await this.readEarlier();
    else await this.readLater();
  }

  /** Takes up what the stream told, in its order. */
  apply(changed: readonly M[]): void {
    if (!this.#isFree && this.#meanwhile.length <= MOST_MEANWHILE) this.#meanwhile.push(...changed);
    for (const { msgSeq } of changed) this.#newestSeq = Math.max(this.#newestSeq, msgSeq);
    if (this.#list !== null) this.#list = withChanges(this.#list, changed);
    // What is looked at decides what is kept; what nobody looks at will be opened at its end.
    if (!this.#isShown) this.#keepAround(this.#newestSeq);
    this.#outbox.settle(changed);
    this.#changed();
  }

  /** The log is drawn from now on. @returns a function that ends this. */
  show(): () => void {
    this.#isShown = true;
    return () => {
      this.#isShown = false;
    };
  }

  /** Lets what is far from a place go, when there is too much. */
  lookAt(msgSeq: number): void {
    if (this.#keepAround(msgSeq)) this.#changed();
  }

  /** How many more messages may be sent before some of those on their way have gone. */
  get room(): number {
    return this.#outbox.room;
  }

  send(draft: Draft): void {
    this.#outbox.send(draft);
    // One's own message belongs below what it answers.
    if (this.#list?.hasLater === true) void this.readNewest();
  }

  retry(clientMessageId: string): void {
    this.#outbox.retry(clientMessageId);
  }

  giveUp(clientMessageId: string): void {
    this.#outbox.giveUp(clientMessageId);
  }

  /** Ends what is on its way, which is kept. */
  rest(): void {
    this.#outbox.rest();
  }

  /** Ends what is on its way: what one person wrote must not be sent as another. */
  close(): void {
    this.#outbox.close();
  }

  get #isFree(): boolean {
    return this.#reading === "idle" || this.#reading === "failed";
  }

  /** @param read gives what the page makes of the list as it is then. */
  async #read(what: Part, read: () => Promise<(now: MessageList<M>) => MessageList<M>>): Promise<void> {
    const turn = ++this.#turn;
    this.#what = what;
    this.#meanwhile = [];
    this.#enter(what === "around" ? "first" : what);
    try {
      const change = await read();
      if (turn !== this.#turn) return;
      if (this.#meanwhile.length > MOST_MEANWHILE) return await this.#read(what, read);
      // What changed while the page was read may be older in it.
      this.#list = withChanges(change(this.#list ?? NOTHING), this.#meanwhile);
      this.#newestSeq = Math.max(this.#newestSeq, this.#list.messages.at(-1)?.msgSeq ?? 0);
      this.#enter("idle");
    } catch (error) {
      if (turn === this.#turn) this.#enter("failed", error);
    }
  }

  /** @returns whether anything was let go. A page that is being read has to fit what is there. */
  #keepAround(msgSeq: number): boolean {
    const before = this.#list;
    if (before === null || !this.#isFree) return false;
    const kept = keptAround(before, msgSeq);
    const last = kept.messages.at(-1);
    if (last !== undefined && last !== before.messages.at(-1)) this.#readUpTo = last.msgSeq;
    this.#list = kept;
    return kept !== before;
  }

  #enter(reading: Reading, error: unknown = null): void {
    this.#reading = reading;
    this.#error = error;
    this.#changed();
  }

  #changed(): void {
    this.#snapshot = this.#takeSnapshot();
    this.#onChange();
  }

  #takeSnapshot(): LogSnapshot<M> {
    const list = this.#list ?? NOTHING;
    return { ...list, outgoing: this.#outbox.items, reading: this.#reading, error: this.#error };
  }
}
