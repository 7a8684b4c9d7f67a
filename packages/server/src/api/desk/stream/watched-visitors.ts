import { type CustomerMessageRow, visitorKey } from "../../../domain/customer-service/message-store.ts";
import { listQueuedOf } from "../../../domain/customer-service/session-store.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import type { Follower } from "../../../platform/streams/follower.ts";

/** So many are followed, those that were asked for last. */
const MAX_WATCHED = 20;

/** What of an agent's stream decides who may be watched, and how. */
interface Watching {
  /** Whether the agent serves the application. */
  serves(appId: string): boolean;
  /** Whether the visitor is the agent's, and therefore followed anyway. */
  isOwn(visitorId: string): boolean;
}

/** The visitors in the queue that the client of an agent's stream has resumed: any agent may read what they say. */
export class WatchedVisitors {
  readonly #db: Db;
  readonly #messages: Follower<CustomerMessageRow>;
  readonly #watching: Watching;
  /** The application of each visitor, the one that was asked for last at the end. */
  readonly #appIds = new Map<string, string>();

  constructor(db: Db, messages: Follower<CustomerMessageRow>, watching: Watching) {
    this.#db = db;
    this.#messages = messages;
    this.#watching = watching;
  }

  /** The visitor's application; undefined for one who is not watched. */
  appOf(visitorId: string): string | undefined {
    return this.#appIds.get(visitorId);
  }

  /** Follows the messages of those of these visitors who wait at one of the agent's desks. */
  async watch(visitorIds: readonly string[]): Promise<void> {
    for (const { appId, visitorId } of await listQueuedOf(this.#db, visitorIds.slice(-MAX_WATCHED))) {
      if (!this.#watching.serves(appId)) continue;
      this.#appIds.delete(visitorId);
      this.#appIds.set(visitorId, appId);
      const key = visitorKey(visitorId);
      if (!this.#messages.keys.has(key)) await this.#messages.follow([key]);
    }
    for (const oldest of [...this.#appIds.keys()].slice(0, -MAX_WATCHED)) await this.unwatch(oldest);
  }

  /** Follows who waits no more no longer; what they have said until then is sent. */
  async unwatch(visitorId: string): Promise<void> {
    if (!this.#appIds.has(visitorId)) return;
    const key = visitorKey(visitorId);
    if (!this.#watching.isOwn(visitorId)) await this.#messages.flush(key);
    this.#appIds.delete(visitorId);
    if (!this.#watching.isOwn(visitorId)) this.#messages.leave(key);
  }

  /** Forgets a visitor whose messages are not followed any more. */
  forget(visitorId: string): void {
    this.#appIds.delete(visitorId);
  }

  /** Looks who still waits at one of the agent's desks, because the notification of a change can be lost. */
  async revise(): Promise<void> {
    const watched = [...this.#appIds.keys()];
    const waiting = await listQueuedOf(this.#db, watched);
    const kept = new Set(waiting.flatMap(({ appId, visitorId }) => (this.#watching.serves(appId) ? [visitorId] : [])));
    for (const visitorId of watched) if (!kept.has(visitorId)) await this.unwatch(visitorId);
  }

  clear(): void {
    this.#appIds.clear();
  }
}
