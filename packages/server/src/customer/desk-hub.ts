import type { AgentState, CustomerSession, SessionChange } from "@portico/protocol";
import type { Coordination } from "../coordination/coordination.ts";
import type { DeskLive } from "./desk-live.ts";

/** What goes from process to process when something has happened at an application's desk. */
export type DeskHint =
  | { type: "message"; visitorId: string; seq: number }
  | { type: "session"; session: CustomerSession; change: SessionChange; previousAgentId: string | null }
  | { type: "agent"; agent: AgentState }
  | { type: "look" };

type Listener = (appId: string, hint: DeskHint) => void;

const CHANNEL = "desk";

/** Tells the desks and widgets of every process what has happened. What is told may be lost, repeated or late. */
export class DeskHub implements DeskLive {
  readonly #coordination: Coordination;
  readonly #listeners = new Set<Listener>();

  constructor(coordination: Coordination) {
    this.#coordination = coordination;
    coordination.subscribe(CHANNEL, (text) => {
      const { appId, hint }: { appId: string; hint: DeskHint } = JSON.parse(text);
      this.#hear(appId, hint);
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

  look(appId: string): void {
    this.#tell(appId, { type: "look" });
  }

  #tell(appId: string, hint: DeskHint): void {
    this.#hear(appId, hint);
    this.#coordination.publish(CHANNEL, JSON.stringify({ appId, hint }));
  }

  #hear(appId: string, hint: DeskHint): void {
    for (const listener of this.#listeners) listener(appId, hint);
  }
}
