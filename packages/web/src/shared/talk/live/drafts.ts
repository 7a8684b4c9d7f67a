/** What a person has written and attached and not sent. */
interface UnsentDraft {
  text: string;
  files: readonly File[];
}

const MOST_KEPT = 100;

/** The drafts of conversations that were left, in the page's memory. */
export class Drafts<Draft extends UnsentDraft> {
  readonly #nothing: Draft;
  readonly #isNothing: (draft: Draft) => boolean;
  readonly #byId = new Map<string, Draft>();

  /**
   * @param nothing the draft of who has written nothing.
   * @param isNothing whether a draft is not worth keeping.
   */
  constructor(nothing: Draft, isNothing = ({ text, files }: Draft) => text.trim() === "" && files.length === 0) {
    this.#nothing = nothing;
    this.#isNothing = isNothing;
  }

  of(conversationId: string): Draft {
    return this.#byId.get(conversationId) ?? this.#nothing;
  }

  /** Whether there is anything that would be lost with the page. */
  get hasUnsent(): boolean {
    return [...this.#byId.values()].some(({ text, files }) => text.trim() !== "" || files.length > 0);
  }

  keep(conversationId: string, draft: Draft): void {
    this.#byId.delete(conversationId);
    if (this.#isNothing(draft)) return;
    this.#byId.set(conversationId, draft);
    const [oldest] = this.#byId.keys();
    if (this.#byId.size > MOST_KEPT && oldest !== undefined) this.#byId.delete(oldest);
  }
}
