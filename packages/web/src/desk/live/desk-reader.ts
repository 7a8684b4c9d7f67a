import type { DeskSession } from "@portico/protocol/schemas";
import { oneAtATime } from "../../shared/talk/live/one-at-a-time.ts";
import { readConversationId } from "./conversation.ts";
import type { DeskState, ReadApp } from "./desk-state.ts";
import { isRefusedForGood } from "./refused-for-good.ts";

/** The page reads the lists of its own accord no more often. */
const REFRESH_EVERY_MS = 1_000;
/** After a failure: the first wait, doubled up to the longest. */
const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 60_000;
/** So many sessions are read one by one at a time. */
const MOST_READINGS = 5;

/** What is read from the service. */
export interface DeskSource {
  /** The agent's applications, with the lists of these, or of all for null. */
  readApps(appIds: ReadonlySet<string> | null): Promise<ReadApp[]>;
  readSession(params: { appId: string; sessionId: string }): Promise<DeskSession>;
}

/** Who is told of the reading. */
interface ReaderEvents {
  /** Has the state take what the stream has told so far, which is older or newer than what is read. */
  takeFrames(): void;
  onChange(): void;
}

/** Reads what the stream does not tell. */
export class DeskReader {
  readonly #state: DeskState;
  readonly #source: DeskSource;
  readonly #events: ReaderEvents;
  /** Sessions to be read, and whether each was the agent's: such a one stays until it is known what became of it. */
  readonly #wanted = new Map<string, boolean>();
  readonly #underWay = new Set<string>();
  /** The applications whose lists may be old; null for all. */
  #stale: Set<string> | null = null;
  #isOpen = false;
  #error: unknown = null;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #dueAt = 0;

  constructor(state: DeskState, source: DeskSource, events: ReaderEvents) {
    this.#state = state;
    this.#source = source;
    this.#events = events;
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
    this.#wanted.clear();
    this.#stopTimer();
  }

  /** Reads all lists anew. */
  async refresh(): Promise<void> {
    this.#stale = null;
    await this.#read();
  }

  /** Reads the lists of an application, or of all, in a moment. */
  refreshSoon(appId?: string): void {
    if (appId === undefined) this.#stale = null;
    else this.#stale?.add(appId);
    this.#readIn(REFRESH_EVERY_MS);
  }

  /** Reads a session to which something has happened; of very many, the lists. `wasOwn` where it was the agent's before. */
  readNews(id: string, wasOwn: boolean): void {
    const params = readConversationId(id);
    if (params === null || !this.#isOpen) return;
    if (!wasOwn && !this.#wanted.has(id) && this.#wanted.size >= MOST_READINGS) {
      this.refreshSoon(params.appId);
      return;
    }
    this.#wanted.set(id, wasOwn || this.#wanted.get(id) === true);
    this.#readWanted();
  }

  readonly #read = oneAtATime(async () => {
    this.#stopTimer();
    const appIds = this.#state.apps === null ? null : this.#stale;
    this.#stale = new Set();
    this.#events.takeFrames();
    this.#state.book.beginReading();
    try {
      const apps = await this.#source.readApps(appIds);
      if (!this.#isOpen) return;
      // What the stream has told meanwhile is newer than what was read.
      this.#events.takeFrames();
      for (const { id } of this.#state.takeApps(apps)) this.#wanted.set(id, true);
      this.#error = null;
      if (this.#wanted.size === 0) this.#failures = 0;
      this.#readWanted();
    } catch (error) {
      this.#error = error;
      this.#stale = null;
      this.#readAgain();
    }
    this.#events.onChange();
  });

  #readWanted(): void {
    for (const id of this.#wanted.keys()) {
      if (this.#underWay.size >= MOST_READINGS) return;
      if (!this.#underWay.has(id)) void this.#readOne(id);
    }
  }

  async #readOne(id: string): Promise<void> {
    const params = readConversationId(id);
    if (params === null) return;
    this.#underWay.add(id);
    const end = this.#state.book.await(id);
    let isRead = true;
    try {
      const session = await this.#source.readSession(params);
      this.#events.takeFrames();
      const wasOwn = this.#wanted.get(id) === true;
      // What it was overtaken by is newer, so it stays wanted, and is read again below.
      if (!end() && this.#wanted.delete(id) && this.#isOpen) this.#state.takeNews(params.appId, session, wasOwn);
      this.#failures = 0;
    } catch (error) {
      isRead = false;
      // What waits is in the lists; what became of one's own conversation nothing else tells.
      if (this.#wanted.get(id) !== true || isRefusedForGood(error)) this.#wanted.delete(id);
      this.#stale?.add(params.appId);
      this.#readAgain();
    }
    this.#underWay.delete(id);
    end();
    if (isRead) this.#readWanted();
    this.#events.onChange();
  }

  #readAgain(): void {
    this.#readIn(Math.min(FIRST_RETRY_MS * 2 ** Math.min(this.#failures++, 16), LONGEST_RETRY_MS));
  }

  #readIn(delayMs: number): void {
    const dueAt = performance.now() + delayMs;
    if (!this.#isOpen || (this.#timer !== undefined && this.#dueAt <= dueAt)) return;
    this.#stopTimer();
    this.#dueAt = dueAt;
    this.#timer = setTimeout(() => void this.#read(), delayMs);
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
