import type { AgentFrame } from "@portico/protocol/client";
import type { OpenLogs } from "../../shared/talk/live/open-logs.ts";
import { conversationId } from "./conversation.ts";
import { type DeskEntry, toEntry } from "./desk-entry.ts";
import type { DeskState } from "./desk-state.ts";

type MessageFrame = Extract<AgentFrame, { type: "message.created" }>;

/** So many conversations that wait are followed, those that were looked at last; the service follows some more. */
const MOST_LOOKED_AT = 10;

/**
 * The messages of the agent's visitors, and of those who wait and were looked at. The stream is asked for those of who has
 * become one, after what the page has of them; until then what comes is left out: something before it may be missing, and
 * all of it comes again.
 */
export class VisitorMessages {
  readonly #state: DeskState;
  readonly #logs: OpenLogs<DeskEntry>;
  /** The visitors for whose messages the stream has been asked, and whether each was the agent's then. */
  readonly #followed = new Map<string, boolean>();
  /** Conversations that were looked at, the last one at the end. */
  #lookedAt: readonly string[] = [];

  constructor(state: DeskState, logs: OpenLogs<DeskEntry>) {
    this.#state = state;
    this.#logs = logs;
  }

  lookAt(id: string): void {
    this.#lookedAt = [...this.#lookedAt.filter((each) => each !== id), id].slice(-MOST_LOOKED_AT);
  }

  isFollowed({ message }: MessageFrame): boolean {
    return this.#followed.has(message.visitorId);
  }

  /** A message belongs to the log of its session, and to that of the visitor's next one, which begins with all before it. */
  applyToLogs(frames: readonly MessageFrame[]): void {
    const byId = new Map<string, DeskEntry[]>();
    for (const { appId, message } of frames) {
      const { sessionId, visitorId } = message;
      const ids = new Set([conversationId(appId, sessionId), this.#state.book.ownOf(visitorId)?.id]);
      for (const id of ids) {
        if (id === undefined) continue;
        const entries = byId.get(id) ?? [];
        entries.push(toEntry(message));
        byId.set(id, entries);
      }
    }
    for (const [id, entries] of byId) this.#logs.get(id)?.apply(entries);
  }

  /** @param ask has the stream send a visitor's messages after a place. */
  follow(ask: (visitorId: string, seq: number) => void): void {
    const { book } = this.#state;
    const waiting = this.#lookedAt
      .flatMap((id) => book.get(id) ?? [])
      .filter(({ session }) => session.status === "QUEUED");
    const wanted = new Map([...waiting, ...book.own].map((each) => [each.visitor.visitorId, each]));
    for (const visitorId of this.#followed.keys()) if (!wanted.has(visitorId)) this.#followed.delete(visitorId);
    for (const [visitorId, conversation] of wanted) {
      const log = this.#logs.get(conversation.id)?.snapshot;
      const isOwn = book.isOwn(conversation);
      // The service lets go of a conversation that goes back to the queue.
      if (this.#followed.get(visitorId) === isOwn || log?.reading === "first") continue;
      this.#followed.set(visitorId, isOwn);
      ask(visitorId, (log?.hasLater ? undefined : log?.messages.at(-1)?.msgSeq) ?? conversation.lastSeq);
    }
  }

  close(): void {
    this.#followed.clear();
    this.#lookedAt = [];
  }
}
