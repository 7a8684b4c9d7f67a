import type { Conversation } from "./conversation.ts";

/**
 * What the agent has to be told of a conversation: it went back to the queue, was given to another, was closed by
 * somebody else, or was given to them by another agent.
 */
export interface Notice {
  readonly key: string;
  readonly kind: "requeued" | "reassigned" | "closed" | "given";
  readonly conversation: Conversation;
  /** The username of the agent who has given it. */
  readonly by: string | null;
}

/** Of more, the oldest are not told any more. */
const MOST = 30;

/** What the agent has not been told yet, or has not put away. */
export class Notices {
  #all: readonly Notice[] = [];
  #count = 0;

  get all(): readonly Notice[] {
    return this.#all;
  }

  /** A later notice of a conversation takes the place of the one before. */
  add(kind: Notice["kind"], conversation: Conversation, by: string | null = null): void {
    const others = this.#all.filter((each) => each.conversation.id !== conversation.id);
    this.#all = [...others, { key: `n${++this.#count}`, kind, conversation, by }].slice(-MOST);
  }

  /** Puts some away. */
  remove(keys: ReadonlySet<string>): void {
    this.#all = this.#all.filter(({ key }) => !keys.has(key));
  }
}

/** What there is to tell of a conversation that was the agent's, and is not any more. */
export function lossOf({ session }: Conversation): "requeued" | "reassigned" | "closed" {
  if (session.status === "QUEUED") return "requeued";
  return session.status === "CLOSED" ? "closed" : "reassigned";
}
