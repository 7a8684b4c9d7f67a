import type { ClientMessage } from "@portico/protocol/schemas";

/** What a member wrote or attached. */
export type Draft =
  | { kind: "text"; text: string; mentions: readonly string[] }
  | { kind: "file"; file: File; isPicture: boolean };

/** A message on its way. */
export interface Outgoing {
  /** Makes another try the same message (docs/contract/client.md#sending). */
  readonly clientMessageId: string;
  readonly draft: Draft;
  readonly state: "sending" | "sent" | "failed";
  /** From 0 to 1, of an upload that is under way. */
  readonly progress: number | null;
  readonly error: unknown;
  /** Known once the service has answered. */
  readonly messageId: number | null;
}

/** Carries a draft to the service. @returns the message's id. */
export type Deliver = (outgoing: Outgoing, onProgress: (share: number) => void) => Promise<number>;

/**
 * A conversation's messages on their way, sent one after the other in the order in which they were written. One that fails
 * lets those behind it go on, and stays until it is tried again or given up.
 */
export class Outbox {
  readonly #deliver: Deliver;
  readonly #onChange: () => void;
  #items: readonly Outgoing[] = [];
  #queue: Promise<void> = Promise.resolve();

  constructor(deliver: Deliver, onChange: () => void) {
    this.#deliver = deliver;
    this.#onChange = onChange;
  }

  get items(): readonly Outgoing[] {
    return this.#items;
  }

  send(draft: Draft): void {
    const clientMessageId = crypto.randomUUID();
    const outgoing = {
      clientMessageId,
      draft,
      state: "sending",
      progress: null,
      error: null,
      messageId: null,
    } as const;
    this.#set([...this.#items, outgoing]);
    this.#enqueue(clientMessageId);
  }

  retry(clientMessageId: string): void {
    if (this.#find(clientMessageId)?.state !== "failed") return;
    this.#change(clientMessageId, { state: "sending", error: null, progress: null });
    this.#enqueue(clientMessageId);
  }

  giveUp(clientMessageId: string): void {
    this.#set(this.#items.filter((each) => each.clientMessageId !== clientMessageId || each.state === "sending"));
  }

  /** Takes those out that the conversation has by now. @returns whether there were any. */
  settle(arrived: readonly ClientMessage[]): boolean {
    const left = this.#items.filter(({ messageId }) => !arrived.some((message) => message.messageId === messageId));
    const isSettled = left.length < this.#items.length;
    if (isSettled) this.#set(left);
    return isSettled;
  }

  #enqueue(clientMessageId: string): void {
    this.#queue = this.#queue.then(() => this.#attempt(clientMessageId));
  }

  async #attempt(clientMessageId: string): Promise<void> {
    const outgoing = this.#find(clientMessageId);
    if (outgoing === undefined) return;
    try {
      const messageId = await this.#deliver(outgoing, (progress) => this.#change(clientMessageId, { progress }));
      this.#change(clientMessageId, { state: "sent", progress: null, messageId });
    } catch (error) {
      this.#change(clientMessageId, { state: "failed", progress: null, error });
    }
  }

  #find(clientMessageId: string): Outgoing | undefined {
    return this.#items.find((each) => each.clientMessageId === clientMessageId);
  }

  #change(clientMessageId: string, change: Partial<Outgoing>): void {
    this.#set(this.#items.map((each) => (each.clientMessageId === clientMessageId ? { ...each, ...change } : each)));
  }

  #set(items: readonly Outgoing[]): void {
    this.#items = items;
    this.#onChange();
  }
}
