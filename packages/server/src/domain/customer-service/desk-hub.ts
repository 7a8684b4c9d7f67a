import { randomUUID } from "node:crypto";
import type { AgentState, CustomerSession, SessionChange } from "@portico/protocol";
import type { Coordination } from "../../platform/coordination/coordination.ts";
import type { ChangedSession, DeskLive } from "./desk-live.ts";
import type { Reader } from "./read-store.ts";

/** The message sent between processes when something has happened at an application's desk. */
export type DeskHint =
  | { type: "message"; visitorId: string; seq: number }
  | {
      type: "session";
      session: CustomerSession;
      change: SessionChange;
      previousAgentId: string | null;
      /** Of the session after this change. An earlier version of the service does not say it. */
      version?: number;
    }
  /** Names no visitor, whose stream would be told by an earlier version. */
  | { type: "note"; noteId: number }
  | { type: "agent"; agent: AgentState }
  /** These members have become agents of the application, or are no longer. An earlier version does not name them. */
  | { type: "agents"; userIds?: readonly string[] }
  /** Tokens of a visitor may have ended. */
  | { type: "visitor"; visitorId: string }
  | { type: "typing"; visitorId: string; sessionId: number; by: Reader }
  | { type: "read"; visitorId: string; seq: number; by: Reader }
  | { type: "recheck" };

type Listener = (appId: string, hint: DeskHint) => void;

const CHANNEL = "desk";

/** Notifies the desks and widgets of every process of what has happened. Messages may be lost, repeated or delayed. */
export class DeskHub implements DeskLive {
  readonly #coordination: Coordination;
  /** Identifies this process as a sender. */
  readonly #id = randomUUID();
  readonly #listeners = new Set<Listener>();

  constructor(coordination: Coordination) {
    this.#coordination = coordination;
    coordination.subscribe(CHANNEL, (text) => {
      const { from, appId, hint }: { from: string; appId: string; hint: DeskHint } = JSON.parse(text);
      // A broadcast also comes back to its sender.
      if (from !== this.#id) this.#hear(appId, hint);
    });
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
    this.#tell(appId, { type: "recheck" });
  }

  #tell(appId: string, hint: DeskHint): void {
    this.#hear(appId, hint);
    this.#coordination.publish(CHANNEL, JSON.stringify({ from: this.#id, appId, hint }));
  }

  #hear(appId: string, hint: DeskHint): void {
    for (const listener of this.#listeners) listener(appId, hint);
  }
}
