import { setImmediate } from "node:timers/promises";
import type { Change } from "@portico/protocol";
import type { Logger } from "pino";
import type { Coordination } from "../../../platform/coordination/coordination.ts";
import { writeJson } from "../../../platform/http/json-text.ts";
import { Turns } from "../../../platform/limits/turns.ts";
import type { Storage } from "../../../platform/storage/storage.ts";
import { membersAmong } from "../../directory/group-store.ts";
import { conversationIdOf } from "../conversation-key.ts";
import { readChanges } from "../message-view.ts";
import { changesPage } from "../page-size.ts";
import { readLastSeqs } from "../sequence-store.ts";

/** A change as it goes over a stream. */
export interface Frame {
  conversationKey: string;
  msgSeq: number;
  /** JSON text. */
  json: string;
}

/** One open stream, as the feeds see it. */
export interface Watcher {
  readonly userId: string;
  /** Takes a change; never waits and never fails. */
  receive(frame: Frame): void;
  /** Has to read the conversation from `afterSeq` on for itself; never waits and never fails. */
  fallBehind(conversationKey: string, afterSeq: number): void;
  /** The member has other conversations than before. */
  conversationsChanged(): void;
}

/**
 * What this process knows of a conversation that someone here watches.
 *
 * - opening: `cursor` is null until the conversation's counter has been read; hints are noted in `target`;
 * - even: `cursor` has reached `target`;
 * - advancing: changes after `cursor` are being read and handed out, one reader at a time.
 */
interface Feed {
  cursor: number | null;
  target: number;
  advancing: boolean;
  watchers: Set<Watcher>;
}

const CHANNEL = "conversations";
const MEMBERS_CHANNEL = "members";
const SIGN_OUTS_CHANNEL = "sign-outs";
/** So many streams read what they missed at the same time. */
const CATCHING_UP_AT_ONCE = 8;
/** Hints may be lost between processes; this often the counters are looked at without one. */
const LOOK_EVERY_MS = 3_000;
const LOOK_AT_ONCE = 500;
/** A page is at most so many changes, and what their content may take in memory beyond a first that alone takes more. */
const MAX_PAGE = 50;
const MAX_PAGE_BYTES = 256 * 1024;

/**
 * Hands the changes of conversations out to the streams of this process. The database is the truth: a hint that a
 * conversation has changed, from this process or another, only makes its feed read on from where it was. So each stream
 * gets every change once and in the order of `msgSeq`, whatever becomes of the hints.
 */
export class Feeds {
  readonly #storage: Storage;
  readonly #coordination: Coordination;
  readonly #log: Logger;
  readonly #feeds = new Map<string, Feed>();
  readonly #watchersOf = new Map<string, Set<Watcher>>();
  readonly #timer: NodeJS.Timeout;
  readonly #turns = new Turns(CATCHING_UP_AT_ONCE);
  #looking = false;
  readonly #signOutListeners: ((userId: string) => void)[] = [];

  constructor(storage: Storage, coordination: Coordination, log: Logger) {
    this.#storage = storage;
    this.#coordination = coordination;
    this.#log = log;
    coordination.subscribe(CHANNEL, (hint) => {
      const space = hint.indexOf(" ");
      this.#hint(hint.slice(space + 1), Number(hint.slice(0, space)));
    });
    coordination.subscribe(MEMBERS_CHANNEL, (userId) => this.#refresh(userId));
    coordination.subscribe(SIGN_OUTS_CHANNEL, (userId) => this.#endStreams(userId));
    this.#timer = setInterval(() => void this.#look(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Tells every process that the conversation has changed. To be called once the change is on disk. */
  changed(conversationKey: string, msgSeq: number): void {
    this.#hint(conversationKey, msgSeq);
    this.#coordination.publish(CHANNEL, `${msgSeq} ${conversationKey}`);
  }

  /** Tells every process that a member has other conversations than before. */
  conversationsChanged(userId: string): void {
    this.#refresh(userId);
    this.#coordination.publish(MEMBERS_CHANNEL, userId);
  }

  /** Tells every process that tokens of a member have ended. To be called once that is on disk. */
  signedOut(userId: string): void {
    this.#endStreams(userId);
    this.#coordination.publish(SIGN_OUTS_CHANNEL, userId);
  }

  /** Has `listener`, which never fails, told of members some of whose tokens have ended. */
  onSignOut(listener: (userId: string) => void): void {
    this.#signOutListeners.push(listener);
  }

  /** From here on `watcher` is told when the member has other conversations than before. */
  join(watcher: Watcher): void {
    const watchers = this.#watchersOf.get(watcher.userId);
    if (watchers === undefined) this.#watchersOf.set(watcher.userId, new Set([watcher]));
    else watchers.add(watcher);
  }

  /** Lets `watcher` have what happens in the conversations from now on; resolves once nothing more can be missed. */
  async watch(watcher: Watcher, conversationKeys: readonly string[]): Promise<void> {
    for (const key of conversationKeys) this.#feed(key).watchers.add(watcher);
    const opening = conversationKeys.filter((key) => this.#feeds.get(key)?.cursor === null);
    const lastSeqs = await this.lastSeqs(opening);
    for (const key of opening) this.#open(key, lastSeqs.get(key) ?? 0);
  }

  /** Ends `watcher`'s interest in the conversations. */
  unwatch(watcher: Watcher, conversationKeys: Iterable<string>): void {
    for (const key of conversationKeys) {
      const feed = this.#feeds.get(key);
      feed?.watchers.delete(watcher);
      if (feed?.watchers.size === 0) this.#feeds.delete(key);
    }
  }

  /** Forgets a watcher that has been unwatched from everything. */
  leave(watcher: Watcher): void {
    const watchers = this.#watchersOf.get(watcher.userId);
    watchers?.delete(watcher);
    if (watchers?.size === 0) this.#watchersOf.delete(watcher.userId);
  }

  /** Up to where the conversation has been handed out; null when nobody here watches it. */
  cursorOf(conversationKey: string): number | null {
    return this.#feeds.get(conversationKey)?.cursor ?? null;
  }

  /** The counters of those conversations in which something has happened, as the database has them. */
  async lastSeqs(conversationKeys: readonly string[]): Promise<Map<string, number>> {
    const all = new Map<string, number>();
    for (let from = 0; from < conversationKeys.length; from += LOOK_AT_ONCE) {
      if (from > 0) await setImmediate();
      const some = await readLastSeqs(this.#storage.db, conversationKeys.slice(from, from + LOOK_AT_ONCE));
      for (const [key, lastSeq] of some) all.set(key, lastSeq);
    }
    return all;
  }

  /** Runs what reads pages for one stream when it is its turn, so that the pages held in memory are few. */
  inTurn(work: () => Promise<void>): Promise<void> {
    return this.#turns.run(work);
  }

  /**
   * A page of what happened after `afterSeq`. All of it is on disk.
   *
   * @param most how many changes there can be, as far as is known.
   */
  async readPage(conversationKey: string, afterSeq: number, most = Number.MAX_SAFE_INTEGER): Promise<Frame[]> {
    const { db } = this.#storage;
    const bounds = { afterSeq, limit: Math.min(MAX_PAGE, most), maxBytes: MAX_PAGE_BYTES };
    const { limit } = most <= 1 ? { limit: 1 } : await changesPage(db, conversationKey, bounds);
    const changes = await readChanges(db, conversationKey, { afterSeq, limit });
    await this.#storage.synced();
    return changes.map((change) => frameOf(conversationKey, change));
  }

  /** Those of `userIds` who may see the conversation now. */
  async allowed(conversationKey: string, userIds: string[]): Promise<ReadonlySet<string>> {
    const group = /^group:(.+)$/s.exec(conversationKey)?.[1];
    // A direct conversation's key names its only member.
    if (group === undefined) return new Set(userIds.filter((userId) => conversationKey.endsWith(`:${userId}`)));
    return membersAmong(this.#storage.db, group, userIds);
  }

  #feed(key: string): Feed {
    const known = this.#feeds.get(key);
    if (known !== undefined) return known;
    const fresh: Feed = { cursor: null, target: 0, advancing: false, watchers: new Set() };
    this.#feeds.set(key, fresh);
    return fresh;
  }

  #open(key: string, lastSeq: number): void {
    const feed = this.#feeds.get(key);
    if (feed === undefined) return;
    feed.cursor ??= lastSeq;
    this.#hint(key, feed.target);
  }

  #hint(key: string, msgSeq: number): void {
    const feed = this.#feeds.get(key);
    // What another process sent may be anything.
    if (feed === undefined || !Number.isSafeInteger(msgSeq) || msgSeq < 0) return;
    feed.target = Math.max(feed.target, msgSeq);
    if (!feed.advancing) void this.#advance(key, feed);
  }

  async #advance(key: string, feed: Feed): Promise<void> {
    feed.advancing = true;
    try {
      while (feed.cursor !== null && feed.cursor < feed.target && feed.watchers.size > 0) {
        const { cursor, target } = feed;
        const page = await this.readPage(key, cursor, target - cursor);
        if (page.length === 0) {
          // A hint of what is not there: without this, each later one would have it looked for again.
          if (feed.target === target) feed.target = cursor;
          continue;
        }
        const asked = new Set(feed.watchers);
        const allowed = await this.allowed(key, [...new Set([...asked].map(({ userId }) => userId))]);
        for (const watcher of feed.watchers) if (!asked.has(watcher)) watcher.fallBehind(key, cursor);
        for (const frame of page) {
          for (const watcher of asked) {
            if (allowed.has(watcher.userId) && feed.watchers.has(watcher)) watcher.receive(frame);
          }
          feed.cursor = frame.msgSeq;
        }
        if (feed.cursor < feed.target) await setImmediate();
      }
    } catch (error) {
      this.#log.warn({ err: error }, "a conversation's changes could not be read; tried again shortly");
    } finally {
      feed.advancing = false;
    }
  }

  #endStreams(userId: string): void {
    for (const listener of this.#signOutListeners) listener(userId);
  }

  #refresh(userId: string): void {
    for (const watcher of this.#watchersOf.get(userId) ?? []) watcher.conversationsChanged();
  }

  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      for (const [key, lastSeq] of await this.lastSeqs([...this.#feeds.keys()])) {
        this.#open(key, lastSeq);
        this.#hint(key, lastSeq);
      }
    } catch (error) {
      this.#log.warn({ err: error }, "the conversations' counters could not be read; tried again shortly");
    } finally {
      this.#looking = false;
    }
  }
}

function frameOf(conversationKey: string, { type, msgSeq, message }: Change): Frame {
  const conversationId = conversationIdOf(conversationKey);
  return { conversationKey, msgSeq, json: writeJson({ type, conversationId, msgSeq, message }) };
}
