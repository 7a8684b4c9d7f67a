import { ApiRefusedError } from "@portico/protocol/client";
import { randomId } from "../../calls/random-id.ts";
import type { LogMessage } from "./log-message.ts";

/** What a person wrote or attached. */
export type Draft =
  | { kind: "text"; text: string; mentions?: readonly { userId: string; name: string; isBot: boolean }[] }
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
  /** Of a file that has been uploaded: another try sends it without doing that again. */
  readonly fileKey: string | null;
  /** Known once the service has answered. */
  readonly messageId: number | null;
}

/** Told of an upload: the share that has been sent, and at last the file's key. */
export type OnUpload = (upload: { progress: number } | { fileKey: string }) => void;

/** Carries a draft to the service. @returns the message's id. */
export type Deliver = (outgoing: Outgoing, onUpload: OnUpload, signal: AbortSignal) => Promise<number>;

/** So many messages may be on their way, or wait for another try. */
export const MOST_OUTGOING = 100;

/** What has failed without the service having refused it. */
const ENDED = { state: "failed", progress: null, error: null } as const;

/** Messages that came while something is on its way are remembered up to this many. */
const MOST_ARRIVED = 1_000;

/**
 * A conversation's messages on their way, sent one after the other in the order in which they were written. One that fails
 * lets those behind it go on, and stays until it is tried again or given up.
 */
export class Outbox {
  readonly #deliver: Deliver;
  readonly #onChange: () => void;
  #items: readonly Outgoing[] = [];
  #drawn: readonly Outgoing[] = [];
  #queue: Promise<void> = Promise.resolve();
  #underWay: string | null = null;
  /** What has come while something is on its way: the answer to a send may come after the message itself. */
  readonly #arrived = new Map<number, LogMessage>();
  #end = new AbortController();

  constructor(deliver: Deliver, onChange: () => void) {
    this.#deliver = deliver;
    this.#onChange = onChange;
  }

  /** What is to be drawn: all but what the conversation seems to have already, whose answer is still awaited. */
  get items(): readonly Outgoing[] {
    return this.#drawn;
  }

  /** How many more messages may be sent. */
  get room(): number {
    return MOST_OUTGOING - this.#items.length;
  }

  /** @throws RangeError when there is no room. */
  send(draft: Draft): void {
    if (this.room <= 0) throw new RangeError("too many messages are on their way");
    const clientMessageId = randomId();
    const outgoing = {
      clientMessageId,
      draft,
      state: "sending",
      progress: null,
      error: null,
      fileKey: null,
      messageId: null,
    } as const;
    this.#set([...this.#items, outgoing]);
    this.#enqueue(clientMessageId);
  }

  retry(clientMessageId: string): void {
    const failed = this.#find(clientMessageId);
    if (failed?.state !== "failed") return;
    // What the service refused may be the file, which it keeps for a while only.
    const fileKey = isRefusal(failed.error) ? null : failed.fileKey;
    this.#change(clientMessageId, { state: "sending", error: null, progress: null, fileKey });
    this.#enqueue(clientMessageId);
  }

  giveUp(clientMessageId: string): void {
    this.#set(this.#items.filter((each) => each.clientMessageId !== clientMessageId || each.state === "sending"));
  }

  /** Takes those out that the conversation has by now. */
  settle(arrived: readonly LogMessage[]): void {
    if (this.#items.length === 0) return;
    for (const message of arrived) this.#arrived.set(message.messageId, message);
    for (const oldest of this.#arrived.keys()) {
      if (this.#arrived.size <= MOST_ARRIVED) break;
      this.#arrived.delete(oldest);
    }
    this.#set(this.#items);
  }

  /** Ends what is on its way: it has failed, until somebody tries it again. */
  rest(): void {
    this.#end.abort();
    this.#end = new AbortController();
    this.#set(this.#items.map((each) => (each.state === "sending" ? { ...each, ...ENDED } : each)));
  }

  /** Gives up all that is on its way, for good. */
  close(): void {
    this.#end.abort();
    this.#set([]);
  }

  #enqueue(clientMessageId: string): void {
    this.#queue = this.#queue.then(() => this.#attempt(clientMessageId));
  }

  async #attempt(clientMessageId: string): Promise<void> {
    const outgoing = this.#find(clientMessageId);
    if (outgoing?.state !== "sending") return;
    const { signal } = this.#end;
    this.#underWay = clientMessageId;
    const onUpload: OnUpload = (upload) => this.#change(clientMessageId, upload);
    try {
      const messageId = await this.#deliver(outgoing, onUpload, signal);
      this.#change(clientMessageId, { state: "sent", progress: null, messageId });
    } catch (error) {
      if (!signal.aborted) this.#change(clientMessageId, { state: "failed", progress: null, error });
    }
  }

  #seemsArrived(outgoing: Outgoing): boolean {
    if (outgoing.state !== "sending" || outgoing.clientMessageId !== this.#underWay) return false;
    return [...this.#arrived.values()].some((message) => hasContentOf(message, outgoing));
  }

  #find(clientMessageId: string): Outgoing | undefined {
    return this.#items.find((each) => each.clientMessageId === clientMessageId);
  }

  #change(clientMessageId: string, change: Partial<Outgoing>): void {
    this.#set(this.#items.map((each) => (each.clientMessageId === clientMessageId ? { ...each, ...change } : each)));
  }

  #set(items: readonly Outgoing[]): void {
    this.#items = items.filter(({ messageId }) => messageId === null || !this.#arrived.delete(messageId));
    if (this.#items.length === 0) this.#arrived.clear();
    this.#drawn = this.#items.filter((each) => !this.#seemsArrived(each));
    this.#onChange();
  }
}

/** Whether a message says what another one, on its way, does; it is the same one then, or one from another page. */
function hasContentOf({ msgType, content }: LogMessage, { draft, fileKey }: Outgoing): boolean {
  const said = (content ?? {}) as { text?: unknown; fileKey?: unknown };
  if (draft.kind === "text") return msgType === "text" && said.text === draft.text;
  return fileKey !== null && said.fileKey === fileKey;
}

function isRefusal(error: unknown): boolean {
  return error instanceof ApiRefusedError && error.httpStatus < 500;
}
