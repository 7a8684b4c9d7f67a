import { Outbox } from "./outbox.ts";
import type { Draft, Outgoing } from "./outgoing.ts";
import { Sender, type SenderListener } from "./sender.ts";
import type { VisitorCalls } from "./visitor-calls.ts";

/** Whose messages are kept of somebody without a name, who is always the same in this browser, before they have sent any. */
const NOBODY_YET = "new";

/** What is told of the messages on their way. */
interface SendingListener extends SenderListener {
  onChange(outgoing: readonly Outgoing[]): void;
}

/** What the visitor has written, until the service has it. */
export class Sending {
  readonly #appId: string;
  readonly #calls: VisitorCalls;
  readonly #listener: SendingListener;
  /** Null for one whom the site names: on the next page it may name somebody else. */
  readonly #firstWriter: string | null;
  #outbox: Outbox;
  #sender: Sender;

  constructor(appId: string, isNamed: boolean, calls: VisitorCalls, listener: SendingListener) {
    this.#appId = appId;
    this.#calls = calls;
    this.#listener = listener;
    this.#firstWriter = isNamed ? null : NOBODY_YET;
    this.#outbox = this.#outboxOf(this.#firstWriter);
    this.#sender = new Sender(this.#outbox, calls, listener);
  }

  get items(): readonly Outgoing[] {
    return this.#outbox.items;
  }

  /** Sends messages, all or none: false when too many wait. */
  add(drafts: readonly Draft[]): boolean {
    const isTaken = this.#outbox.add(drafts);
    if (isTaken) this.run();
    return isTaken;
  }

  retry(clientMessageId: string): void {
    this.#outbox.mark(clientMessageId, "queued");
    this.run();
  }

  /** The message has arrived, or is given up. */
  remove(clientMessageId: string): void {
    this.#outbox.remove(clientMessageId);
  }

  /** Sends what waits. */
  run(): void {
    void this.#sender.run();
  }

  /** It is known who writes: what this visitor had not sent earlier comes first. */
  become(visitorId: string): void {
    const outbox = this.#outboxOf(visitorId);
    outbox.adopt(this.#outbox);
    this.#use(outbox);
  }

  /** Forgets everything, and begins anew with somebody who is not known. */
  beginAnew(): void {
    this.#outbox.clear();
    this.#use(this.#outboxOf(this.#firstWriter));
  }

  close(): void {
    this.#sender.close();
  }

  #use(outbox: Outbox): void {
    this.#sender.close();
    this.#outbox = outbox;
    this.#sender = new Sender(outbox, this.#calls, this.#listener);
    this.#listener.onChange(outbox.items);
  }

  #outboxOf(writer: string | null): Outbox {
    const outbox = new Outbox(this.#appId, writer, () => {
      if (outbox === this.#outbox) this.#listener.onChange(outbox.items);
    });
    return outbox;
  }
}
