import { randomId } from "../../shared/calls/random-id.ts";

/** A note about a visitor that is being written or saved. Another object whenever something in it has changed. */
export interface NoteDraft {
  /** What stands in the field. */
  readonly text: string;
  /** What was last given to be saved and is not known to be; with the same name it is the same note. */
  readonly given: { readonly text: string; readonly clientNoteId: string } | null;
  /** Whether what was given stands in the field no more: it is being saved, or other words came before it failed. */
  readonly isTakenOut: boolean;
  readonly isSaving: boolean;
  /** Why the last note was not saved. */
  readonly error: unknown;
}

type SessionParams = { appId: string; sessionId: string };
/** Saves a note. */
export type SaveNote = (params: SessionParams, body: { text: string; clientNoteId: string }) => Promise<void>;

const NOTHING: NoteDraft = { text: "", given: null, isTakenOut: false, isSaving: false, error: null };
const MOST_KEPT = 100;

/** The notes that are not saved, by visitor. They outlive the field, which is gone while another conversation is open. */
export class NoteDrafts {
  readonly #save: SaveNote;
  readonly #byVisitor = new Map<string, NoteDraft>();
  readonly #listeners = new Set<() => void>();

  constructor(save: SaveNote) {
    this.#save = save;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  of(visitorId: string): NoteDraft {
    return this.#byVisitor.get(visitorId) ?? NOTHING;
  }

  /** Whether any waits to be saved. */
  get hasWaiting(): boolean {
    return [...this.#byVisitor.values()].some(isWaiting);
  }

  write(visitorId: string, text: string): void {
    this.#change(visitorId, { text });
  }

  /** Saves what stands in the field, after what was taken out of it before and could not be saved. */
  async submit(visitorId: string, params: SessionParams): Promise<void> {
    if (this.of(visitorId).isSaving) return;
    // Only then: what stands in the field is taken out before another key can reach it.
    if (this.of(visitorId).isTakenOut) await this.retry(visitorId, params);
    const { text, given, isTakenOut } = this.of(visitorId);
    if (text.trim() === "" || isTakenOut) return;
    await this.#send(visitorId, params, given?.text === text ? given : { text, clientNoteId: randomId() }, "");
  }

  /** Saves what was taken out of the field and could not be saved. */
  async retry(visitorId: string, params: SessionParams): Promise<void> {
    const draft = this.of(visitorId);
    if (draft.isSaving || draft.given === null || !draft.isTakenOut) return;
    await this.#send(visitorId, params, draft.given, draft.text);
  }

  async #send(visitorId: string, params: SessionParams, given: { text: string; clientNoteId: string }, text: string) {
    this.#change(visitorId, { text, given, isTakenOut: true, isSaving: true, error: null });
    try {
      await this.#save(params, given);
      this.#change(visitorId, { given: null, isTakenOut: false, isSaving: false });
    } catch (error) {
      // Words that were typed meanwhile stay where they are; what was not saved is kept beside them.
      const isFree = this.of(visitorId).text.trim() === "";
      this.#change(visitorId, { ...(isFree && { text: given.text }), isTakenOut: !isFree, isSaving: false, error });
    }
  }

  #change(visitorId: string, change: Partial<NoteDraft>): void {
    const draft = { ...this.of(visitorId), ...change };
    this.#byVisitor.delete(visitorId);
    if (draft.text !== "" || draft.isTakenOut) this.#byVisitor.set(visitorId, draft);
    const [oldest] = this.#byVisitor.keys();
    if (this.#byVisitor.size > MOST_KEPT && oldest !== undefined) this.#byVisitor.delete(oldest);
    for (const listener of this.#listeners) listener();
  }
}

/** Whether a note waits to be saved. */
export function isWaiting({ text, isTakenOut }: NoteDraft): boolean {
  return text.trim() !== "" || isTakenOut;
}
