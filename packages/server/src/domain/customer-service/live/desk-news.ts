import type { Logger } from "pino";
import type { Storage } from "../../../platform/storage/storage.ts";
import type { DeskHint } from "../desk-hint.ts";
import type { DeskHub } from "../desk-hub.ts";
import { findNote, type NoteRow } from "../note-store.ts";
import { findSession } from "../session-store.ts";
import { toSession } from "../session-view.ts";

/** The dependencies of the news. */
interface Parts {
  storage: Storage;
  log: Logger;
  deskLive: DeskHub;
}

/** What has happened at a desk; a changed session as it is now. */
export type News =
  | Exclude<DeskHint, { type: "session" | "message" | "note" | "recheck" }>
  | (Extract<DeskHint, { type: "session" }> & { agentUserId: string | null; waitingSince: number })
  | { type: "note"; note: NoteRow };

/** A subscriber of news. */
export interface NewsWatcher {
  /** Must not block or throw. */
  hear(appId: string, news: News): void;
}

/**
 * Changed sessions and notes that may wait to be read; beyond that, each stream finds the changes when it next reads its
 * state, and notes are not told.
 */
const MAX_WAITING = 1_000;

/**
 * Delivers news of desks to the streams of this process. Changes of a session may arrive from other processes out of
 * order. So each one is delivered with the session as the database has it by then: the last delivery is correct.
 */
export class DeskNews {
  readonly #ctx: Parts;
  readonly #watchers = new Map<string, Set<NewsWatcher>>();
  readonly #unlisten: () => void;
  #waiting = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(ctx: Parts) {
    this.#ctx = ctx;
    this.#unlisten = ctx.deskLive.listen((appId, hint, subjects) => this.#receive(appId, hint, subjects));
  }

  close(): void {
    this.#unlisten();
  }

  /** Adds a watcher of what hints call a subject. Resolves when it cannot miss any later news. */
  async watch(subject: string, watcher: NewsWatcher): Promise<void> {
    const watchers = this.#watchers.get(subject);
    if (watchers === undefined) this.#watchers.set(subject, new Set([watcher]));
    else watchers.add(watcher);
    await this.#ctx.deskLive.attend(this, [subject]);
  }

  unwatch(subject: string, watcher: NewsWatcher): void {
    const watchers = this.#watchers.get(subject);
    if (!watchers?.delete(watcher)) return;
    if (watchers.size > 0) return;
    this.#watchers.delete(subject);
    this.#ctx.deskLive.ignore(this, [subject]);
  }

  #receive(appId: string, hint: DeskHint, subjects: readonly string[]): void {
    switch (hint.type) {
      case "message":
      case "recheck":
        return;
      case "session":
        this.#tellOnceRead(subjects, appId, () => this.#asItIs(appId, hint));
        return;
      case "note":
        this.#tellOnceRead(subjects, appId, () => this.#readNote(appId, hint.noteId));
        return;
      default:
        this.#tell(subjects, appId, hint);
    }
  }

  #tellOnceRead(subjects: readonly string[], appId: string, read: () => Promise<News | null>): void {
    if (!subjects.some((subject) => this.#watchers.has(subject))) return;
    this.#waiting++;
    this.#last = this.#last.then(async () => {
      const isTooMuch = this.#waiting > MAX_WAITING;
      const news = isTooMuch
        ? null
        : await read().catch((error: unknown) => {
            this.#ctx.log.warn({ err: error }, "a session or note could not be read for the streams");
            return null;
          });
      this.#waiting--;
      if (news !== null) this.#tell(subjects, appId, news);
    });
  }

  async #readNote(appId: string, noteId: number): Promise<News | null> {
    const note = await findNote(this.#ctx.storage.db, appId, noteId);
    if (note === null) return null;
    await this.#ctx.storage.synced();
    return { type: "note", note };
  }

  async #asItIs(appId: string, hint: Extract<DeskHint, { type: "session" }>): Promise<News | null> {
    const { db } = this.#ctx.storage;
    const row = await findSession(db, appId, hint.session.sessionId);
    if (row === null) return null;
    const session = await toSession(db, row);
    await this.#ctx.storage.synced();
    return { ...hint, session, agentUserId: row.agentUserId, waitingSince: row.waitingSince };
  }

  #tell(subjects: readonly string[], appId: string, news: News): void {
    for (const subject of subjects) {
      for (const watcher of this.#watchers.get(subject) ?? []) watcher.hear(appId, news);
    }
  }
}
