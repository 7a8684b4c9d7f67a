import { type CardMemory, hasUnreported } from "@portico/card";

/** Cards that were in view last; those without entries go first. */
const MOST_KEPT = 1_000;

/** What the member has entered, chosen and opened in cards, by message, as long as the page is open. */
export class CardMemories {
  readonly #byMessage = new Map<number, CardMemory>();

  /** Whether something was written in a card that its bot does not have. */
  get hasUnreported(): boolean {
    return [...this.#byMessage.values()].some(hasUnreported);
  }

  /** That of a message's card, always the same. */
  of(messageId: number): CardMemory {
    const memory: CardMemory = this.#byMessage.get(messageId) ?? new Map();
    this.#byMessage.delete(messageId);
    this.#byMessage.set(messageId, memory);
    if (this.#byMessage.size > MOST_KEPT) this.#byMessage.delete(this.#leastMissed());
    return memory;
  }

  /** The one that was in view longest ago, of those with nothing in them if there is any. */
  #leastMissed(): number {
    const ids = [...this.#byMessage.keys()].slice(0, -1);
    return ids.find((id) => this.#byMessage.get(id)?.size === 0) ?? ids[0] ?? 0;
  }
}
