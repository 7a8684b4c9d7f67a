import { randomUUID } from "node:crypto";
import type { AgentState, CustomerSession, SessionChange } from "@portico/protocol";
import type { Coordination } from "../../platform/coordination/coordination.ts";
import type { DeskLive } from "./desk-live.ts";
import type { Reader } from "./read-store.ts";

/** What goes from process to process when something has happened at an application's desk. */
export type DeskHint =
  | { type: "message"; visitorId: string; seq: number }
  | { type: "session"; session: CustomerSession; change: SessionChange; previousAgentId: string | null }
  | { type: "agent"; agent: AgentState }
  /** Others than before are agents of the application. */
  | { type: "agents" }
  /** Tokens of a visitor may have ended. */
  | { type: "visitor"; visitorId: string }
  | { type: "typing"; visitorId: string; sessionId: number; by: Reader }
  | { type: "read"; visitorId: string; seq: number; by: Reader }
  | { type: "look" };

type Listener = (appId: string, hint: DeskHint) => void;

const CHANNEL = "desk";

/** Tells the desks and widgets of every process what has happened. What is told may be lost, repeated or late. */
export class DeskHub implements DeskLive {
  readonly #coordination: Coordination;
  /** By which this process knows what it has told itself. */
  readonly #id = randomUUID();
  readonly #listeners = new Set<Listener>();

  constructor(coordination: Coordination) {
    this.#coordination = coordination;
    coordination.subscribe(CHANNEL, (text) => {
      const { from, appId, hint }: { from: string; appId: string; hint: DeskHint } = JSON.parse(text);
      // What goes to all comes back to who sent it.
      if (from !== this.#id) this.#hear(appId, hint);
    });
  }

  /** Has `listener`, which never fails, told of everything from now on; the answer ends that. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  messageStored(appId: string, visitorId: string, seq: number): void {
    this.#tell(appId, { type: "message", visitorId, seq });
  }

  sessionChanged(appId: string, session: CustomerSession, change: SessionChange, previousAgentId: string | null): void {
    this.#tell(appId, { type: "session", session, change, previousAgentId });
  }

  agentChanged(appId: string, agent: AgentState): void {
    this.#tell(appId, { type: "agent", agent });
  }

  /** Others than before are agents of the application. To be called once that is on disk. */
  agentsChanged(appId: string): void {
    this.#tell(appId, { type: "agents" });
  }

  /** Tokens of a visitor have ended. To be called once that is on disk. */
  visitorSignedOut(appId: string, visitorId: string): void {
    this.#tell(appId, { type: "visitor", visitorId });
  }

  /** Somebody is writing a message. */
  typing(appId: string, visitorId: string, sessionId: number, by: Reader): void {
    this.#tell(appId, { type: "typing", visitorId, sessionId, by });
  }

  /** Somebody has read a visitor's messages up to `seq`. */
  read(appId: string, visitorId: string, seq: number, by: Reader): void {
    this.#tell(appId, { type: "read", visitorId, seq, by });
  }

  look(appId: string): void {
    this.#tell(appId, { type: "look" });
  }

  #tell(appId: string, hint: DeskHint): void {
    this.#hear(appId, hint);
    this.#coordination.publish(CHANNEL, JSON.stringify({ from: this.#id, appId, hint }));
  }

  #hear(appId: string, hint: DeskHint): void {
    for (const listener of this.#listeners) listener(appId, hint);
  }
}
