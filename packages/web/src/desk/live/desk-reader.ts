import { oneAtATime } from "../../shared/talk/live/one-at-a-time.ts";
import { readConversationId } from "./conversation.ts";
import { deskApi } from "./desk-api.ts";
import type { DeskState } from "./desk-state.ts";
import { readAll } from "./read-all.ts";

/** The page reads the lists of its own accord no more often. */
const REFRESH_EVERY_MS = 1_000;
/** So many sessions are read one by one at a time. */
const MOST_READINGS = 5;

/** Reads what the stream does not tell. */
export class DeskReader {
  readonly #state: DeskState;
  readonly #takeFrames: () => void;
  readonly #onChange: () => void;
  #isOpen = false;
  #error: unknown = null;
  #readings = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param takeFrames has the state take what the stream has told so far, which is older or newer than what is read. */
  constructor(state: DeskState, { takeFrames, onChange }: { takeFrames: () => void; onChange: () => void }) {
    this.#state = state;
    this.#takeFrames = takeFrames;
    this.#onChange = onChange;
  }

  /** Why the lists could not be read; null when they were. */
  get error(): unknown {
    return this.#error;
  }

  open(): void {
    this.#isOpen = true;
  }

  close(): void {
    this.#isOpen = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Reads the lists anew. */
  readonly refresh = oneAtATime(async () => {
    this.#takeFrames();
    this.#state.book.beginReading();
    try {
      const all = await readAll();
      if (!this.#isOpen) return;
      // What the stream has told meanwhile is newer than what was read.
      this.#takeFrames();
      for (const { id } of this.#state.takeAll(all)) void this.readNews(id, true);
      this.#error = null;
    } catch (error) {
      this.#error = error;
    }
    this.#onChange();
  });

  refreshSoon(): void {
    if (!this.#isOpen) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.refresh();
    }, REFRESH_EVERY_MS);
  }

  /** Reads a session to which something has happened; of very many, the lists. `wasOwn` where it was the agent's before. */
  async readNews(id: string, wasOwn: boolean): Promise<void> {
    const params = readConversationId(id);
    if (params === null || this.#readings >= MOST_READINGS) return this.refreshSoon();
    this.#readings++;
    try {
      const session = await deskApi.getSession({ params });
      if (this.#isOpen) this.#state.takeNews(params.appId, session, wasOwn);
    } catch {
      this.refreshSoon();
    } finally {
      this.#readings--;
      this.#onChange();
    }
  }
}
