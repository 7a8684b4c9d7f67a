/** The most violations that are kept; the rest is counted. */
const MAX_KEPT = 50;

/** A message that the service has acknowledged. */
export interface Acknowledged {
  messageId: number;
  seq: number;
}

/** What the end of a run must find of a message, beside its place. */
export type Expected = { text: string } | ExpectedCard | { recalled: true } | { sha256: string };

/** A card's last acknowledged text. */
export interface ExpectedCard {
  card: string;
  /**
   * Texts of changes of which a try had no answer: a process that was frozen with it may carry it out when it goes on,
   * after later ones that others have acknowledged. A change without a version overwrites what is there.
   */
  late: readonly string[];
}

/**
 * The model of a run: what the service has acknowledged, and the promises that were broken. Contradictions between two
 * acknowledgements are found at once.
 */
export class Ledger {
  readonly violations: string[] = [];
  #violationCount = 0;
  readonly #conversations = new Map<string, Map<number, Acknowledged & { expected: Expected }>>();
  readonly #placesTaken = new Map<string, number>();
  /** Events that must arrive: event type and messageId. */
  readonly #events: { eventType: string; messageId: number }[] = [];
  /** Texts of attempts whose outcome is unknown: they may exist, at most once. */
  readonly uncertain = new Set<string>();

  readonly #onViolation: (what: string) => void;

  /** @param onViolation called with each violation that is kept. */
  constructor(onViolation: (what: string) => void = () => {}) {
    this.#onViolation = onViolation;
  }

  get violationCount(): number {
    return this.#violationCount;
  }

  violate(what: string): void {
    this.#violationCount++;
    if (this.violations.length >= MAX_KEPT) return;
    this.violations.push(what);
    this.#onViolation(what);
  }

  /** Records an acknowledged message, once or again. */
  acknowledge(conversation: string, { messageId, seq }: Acknowledged, expected: Expected): void {
    const messages = this.#conversations.get(conversation) ?? new Map();
    this.#conversations.set(conversation, messages);
    const known = messages.get(messageId);
    if (known !== undefined && known.seq !== seq) {
      this.violate(`${conversation}: message ${messageId} was acknowledged at ${known.seq} and at ${seq}`);
    }
    this.takePlace(conversation, seq, messageId);
    messages.set(messageId, { messageId, seq: known?.seq ?? seq, expected });
  }

  /** Records that a message, or a change of it, has this place in its conversation. */
  takePlace(conversation: string, seq: number, messageId: number): void {
    const key = `${conversation} ${seq}`;
    const holder = this.#placesTaken.get(key);
    if (holder !== undefined && holder !== messageId) {
      this.violate(`${conversation}: place ${seq} was given to the messages ${holder} and ${messageId}`);
    }
    this.#placesTaken.set(key, messageId);
  }

  /** Changes what the end of the run must find of a message. */
  expect(conversation: string, messageId: number, expected: Expected): void {
    const known = this.#conversations.get(conversation)?.get(messageId);
    if (known !== undefined) known.expected = expected;
  }

  expectEvent(eventType: string, messageId: number): void {
    this.#events.push({ eventType, messageId });
  }

  get events(): readonly { eventType: string; messageId: number }[] {
    return this.#events;
  }

  get conversations(): ReadonlyMap<string, ReadonlyMap<number, Acknowledged & { expected: Expected }>> {
    return this.#conversations;
  }

  get acknowledged(): number {
    let count = 0;
    for (const messages of this.#conversations.values()) count += messages.size;
    return count;
  }
}
