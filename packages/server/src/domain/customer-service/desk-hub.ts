import { randomUUID } from "node:crypto";
import type { AgentState } from "@portico/protocol";
import type { Coordination } from "../../platform/coordination/coordination.ts";
import { DESK_TOPICS, type DeskHint, subject, subjectsOf, topicOf } from "./desk-hint.ts";
import type { ChangedSession, DeskLive } from "./desk-live.ts";
import type { Reader } from "./read-store.ts";

/** @param subjects those whose watchers are to be told now. A hint of another process comes once for each that is watched. */
type Listener = (appId: string, hint: DeskHint, subjects: readonly string[]) => void;

/** A hint on its way, and the process that sent it. */
interface Sent {
  from: string;
  appId: string;
  hint: DeskHint;
}

/** For every process: versions before topics told everything here. */
const CHANNEL = "desk";

/**
 * Notifies the desks and widgets of every process that watches of what has happened; it costs nothing where nobody does.
 * Messages may be lost, repeated or delayed.
 */
export class DeskHub implements DeskLive {
  readonly #coordination: Coordination;
  /** Identifies this process as a sender. */
  readonly #id = randomUUID();
  readonly #listeners = new Set<Listener>();
  /** By subject: who in this process attends to it. */
  readonly #attending = new Map<string, Set<object>>();

  constructor(coordination: Coordination) {
    this.#coordination = coordination;
    coordination.subscribe(CHANNEL, (text) => {
      const { from, appId, hint }: Sent = JSON.parse(text);
      // A broadcast also comes back to its sender.
      if (from !== this.#id) this.#hear(appId, hint, subjectsOf(appId, hint));
    });
    for (const { kind, topic } of DESK_TOPICS) {
      coordination.topics.hear(topic, (id, text) => {
        const { from, appId, hint }: Sent = JSON.parse(text);
        if (from !== this.#id) this.#hear(appId, hint, [subject(kind, id)]);
      });
    }
  }

  /**
   * Registers a `listener`, which must not throw.
   *
   * @returns a function that removes it.
   */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * Has this process hear of subjects from others, for as long as anybody in it attends to them. Resolves when no later
   * hint can be missed, or at once while the other processes cannot be reached. Never rejects.
   */
  async attend(who: object, subjects: readonly string[]): Promise<void> {
    for (const each of subjects) {
      const attending = this.#attending.get(each);
      if (attending === undefined) this.#attending.set(each, new Set([who]));
      else attending.add(who);
    }
    await Promise.all(topicsOf(subjects).map(([kind, keys]) => this.#coordination.topics.follow(kind, keys)));
  }

  /** Ends that. */
  ignore(who: object, subjects: readonly string[]): void {
    const ended: string[] = [];
    for (const each of subjects) {
      const attending = this.#attending.get(each);
      if (!attending?.delete(who) || attending.size > 0) continue;
      this.#attending.delete(each);
      ended.push(each);
    }
    for (const [kind, keys] of topicsOf(ended)) this.#coordination.topics.unfollow(kind, keys);
  }

  /** Calls `listener` when hints have been missed and none are any longer. */
  onGap(listener: () => void): void {
    this.#coordination.topics.onGap(listener);
  }

  messageStored(appId: string, visitorId: string, seq: number): void {
    this.#tell(appId, { type: "message", visitorId, seq });
  }

  sessionChanged(appId: string, changed: ChangedSession): void {
    this.#tell(appId, { type: "session", ...changed });
  }

  noteStored(appId: string, noteId: number): void {
    this.#tell(appId, { type: "note", noteId });
  }

  agentChanged(appId: string, agent: AgentState): void {
    this.#tell(appId, { type: "agent", agent });
  }

  /** These members have become agents of the application, or are no longer. Call it after the commit. */
  agentsChanged(appId: string, userIds: readonly string[]): void {
    this.#tell(appId, { type: "agents", userIds });
  }

  /** A visitor's tokens have ended. Call it after the commit. */
  visitorSignedOut(appId: string, visitorId: string): void {
    this.#tell(appId, { type: "visitor", visitorId });
  }

  /** Somebody is typing. */
  typing(appId: string, visitorId: string, sessionId: number, by: Reader): void {
    this.#tell(appId, { type: "typing", visitorId, sessionId, by });
  }

  /** One side has read a visitor's messages up to `seq`. */
  read(appId: string, visitorId: string, seq: number, by: Reader): void {
    this.#tell(appId, { type: "read", visitorId, seq, by });
  }

  recheck(appId: string): void {
    this.#hear(appId, { type: "recheck" }, []);
    // A process without a sweep, such as the one that provisions, has the others do it.
    if (this.#listeners.size === 0) this.#coordination.publish(CHANNEL, this.#written(appId, { type: "recheck" }));
  }

  #tell(appId: string, hint: DeskHint): void {
    const subjects = subjectsOf(appId, hint);
    this.#hear(appId, hint, subjects);
    const message = this.#written(appId, hint);
    for (const each of subjects) this.#coordination.topics.tell(topicOf(each), message);
  }

  #written(appId: string, hint: DeskHint): string {
    return JSON.stringify({ from: this.#id, appId, hint } satisfies Sent);
  }

  #hear(appId: string, hint: DeskHint, subjects: readonly string[]): void {
    for (const listener of this.#listeners) listener(appId, hint, subjects);
  }
}

/** The keys of these subjects' topics, by kind. */
function topicsOf(subjects: readonly string[]): [kind: string, keys: string[]][] {
  return [...Map.groupBy(subjects.map(topicOf), ({ kind }) => kind)].map(([kind, topics]) => [
    kind,
    topics.map(({ key }) => key),
  ]);
}
