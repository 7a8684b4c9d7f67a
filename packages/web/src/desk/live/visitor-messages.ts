import type { AgentFrame } from "@portico/protocol/client";
import type { OpenLogs } from "../../shared/talk/live/open-logs.ts";
import { conversationId } from "./conversation.ts";
import { type DeskEntry, toEntry } from "./desk-entry.ts";
import type { DeskState } from "./desk-state.ts";

type MessageFrame = Extract<AgentFrame, { type: "message.created" }>;

/**
 * The messages of the agent's visitors. The stream is asked for those of who has become the agent's visitor, after what the
 * page has of them; until then what comes is left out: something before it may be missing, and all of it comes again.
 */
export class VisitorMessages {
  readonly #state: DeskState;
  readonly #logs: OpenLogs<DeskEntry>;
  /** The visitors for whose messages the stream has been asked. */
  readonly #followed = new Set<string>();

  constructor(state: DeskState, logs: OpenLogs<DeskEntry>) {
    this.#state = state;
    this.#logs = logs;
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
    const own = new Map(this.#state.book.own.map((each) => [each.visitor.visitorId, each]));
    for (const visitorId of this.#followed) if (!own.has(visitorId)) this.#followed.delete(visitorId);
    for (const [visitorId, { id, lastSeq }] of own) {
      const log = this.#logs.get(id)?.snapshot;
      if (this.#followed.has(visitorId) || log?.reading === "first") continue;
      this.#followed.add(visitorId);
      ask(visitorId, (log?.hasLater ? undefined : log?.messages.at(-1)?.msgSeq) ?? lastSeq);
    }
  }

  close(): void {
    this.#followed.clear();
  }
}
