import type { Mentionable } from "../../../messenger/composer/mention-query.ts";

/** What a member has written and attached and not sent. */
export interface UnsentDraft {
  text: string;
  /** Whom they chose to mention. */
  chosen: readonly Mentionable[];
  files: readonly File[];
}

const NOTHING: UnsentDraft = { text: "", chosen: [], files: [] };
const MOST_KEPT = 100;

/** The drafts of conversations that were left, in the page's memory. */
export class Drafts {
  readonly #byId = new Map<string, UnsentDraft>();

  of(conversationId: string): UnsentDraft {
    return this.#byId.get(conversationId) ?? NOTHING;
  }

  keep(conversationId: string, draft: UnsentDraft): void {
    this.#byId.delete(conversationId);
    if (draft.text.trim() === "" && draft.files.length === 0) return;
    this.#byId.set(conversationId, draft);
    const [oldest] = this.#byId.keys();
    if (this.#byId.size > MOST_KEPT && oldest !== undefined) this.#byId.delete(oldest);
  }
}
