import type { ConversationLog } from "./conversation-log.ts";
import type { LogMessage } from "./log-message.ts";

/** Logs that are kept open, so that going back to a conversation shows it at once. */
const MOST_OPEN = 20;

/** The logs that the page has opened, the one that was looked at last at the end. */
export class OpenLogs<M extends LogMessage> {
  readonly #byId = new Map<string, ConversationLog<M>>();
  readonly #create: (conversationId: string) => ConversationLog<M>;

  constructor(create: (conversationId: string) => ConversationLog<M>) {
    this.#create = create;
  }

  get all(): Iterable<ConversationLog<M>> {
    return this.#byId.values();
  }

  get(conversationId: string): ConversationLog<M> | undefined {
    return this.#byId.get(conversationId);
  }

  /** The log of a conversation, created if there is none. */
  open(conversationId: string): ConversationLog<M> {
    const log = this.#byId.get(conversationId) ?? this.#create(conversationId);
    this.#byId.delete(conversationId);
    this.#byId.set(conversationId, log);
    for (const [id, each] of this.#byId) {
      if (this.#byId.size <= MOST_OPEN) break;
      // A message on its way would be lost with its log.
      if (each !== log && each.snapshot.outgoing.length === 0) this.drop(id);
    }
    return log;
  }

  drop(conversationId: string): void {
    this.#byId.get(conversationId)?.close();
    this.#byId.delete(conversationId);
  }

  /** Whether a message that has not been sent would be lost with the page. */
  get hasUnsent(): boolean {
    return [...this.all].some(({ snapshot }) => snapshot.outgoing.some(({ state }) => state !== "sent"));
  }

  /** Ends what is on its way; the logs are kept, and what was written in them. */
  rest(): void {
    for (const log of this.all) log.rest();
  }
}
