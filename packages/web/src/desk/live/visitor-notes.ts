import type { DeskNote } from "@portico/protocol/schemas";
import { deskApi } from "./desk-api.ts";

/** Of a visitor the newest notes are shown, */
const MOST_NOTES = 100;
/** and of so many visitors they are kept. */
const MOST_VISITORS = 50;

const NONE: readonly DeskNote[] = [];

/** The agents' notes about the visitors that were looked at. */
export class VisitorNotes {
  readonly #onChange: () => void;
  /** By visitor, oldest first; the visitor that was read last at the end. */
  readonly #byVisitor = new Map<string, readonly DeskNote[]>();

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  of(visitorId: string): readonly DeskNote[] {
    return this.#byVisitor.get(visitorId) ?? NONE;
  }

  /** Reads the notes about a session's visitor. @throws what the call does. */
  async read(visitorId: string, params: { appId: string; sessionId: string }): Promise<void> {
    const { items } = await deskApi.listNotes({ params, query: { limit: MOST_NOTES } });
    this.#set(visitorId, merged(items, this.of(visitorId)));
  }

  /** Takes a note that was written, here or elsewhere. Those of visitors that nobody looks at are left to the reading. */
  take(note: DeskNote): void {
    if (this.#byVisitor.has(note.visitorId)) this.#set(note.visitorId, merged([note], this.of(note.visitorId)));
  }

  #set(visitorId: string, notes: readonly DeskNote[]): void {
    this.#byVisitor.delete(visitorId);
    this.#byVisitor.set(visitorId, notes);
    const [oldest] = this.#byVisitor.keys();
    if (this.#byVisitor.size > MOST_VISITORS && oldest !== undefined) this.#byVisitor.delete(oldest);
    this.#onChange();
  }
}

function merged(some: readonly DeskNote[], others: readonly DeskNote[]): readonly DeskNote[] {
  const byId = new Map([...others, ...some].map((note) => [note.noteId, note]));
  return [...byId.values()].sort((a, b) => a.noteId - b.noteId).slice(-MOST_NOTES);
}
