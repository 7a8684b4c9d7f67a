import { LiveStream, MEMBER_STREAM, type MemberFrame } from "@portico/protocol/client";
import type { Ledger } from "./ledger.ts";
import type { ServiceProcess } from "./service-process.ts";
import { signInMember } from "./sign-in.ts";
import { GROUP_IDS, reader } from "./world.ts";

/** A member's live stream at one process. Each change of the groups must come exactly once, in order, without a gap. */
export class Follower implements Disposable {
  readonly #stream: LiveStream<MemberFrame>;
  readonly #last = new Map<string, number>();
  readonly #port: number;

  constructor(process: ServiceProcess, ledger: Ledger) {
    this.#port = process.port;
    const conversations = GROUP_IDS.map((id) => `group:${id}`);
    this.#stream = new LiveStream({
      baseUrl: process.url,
      kind: MEMBER_STREAM,
      token: () => signInMember(process.url, reader()),
      places: conversations.map((conversation) => [conversation, 0] as const),
      onFrame: (frame) => {
        if (frame.type === "conversation.read") return;
        const { conversationId, msgSeq } = frame;
        if (!conversations.includes(conversationId)) return;
        const last = this.#last.get(conversationId) ?? 0;
        if (msgSeq !== last + 1) {
          ledger.violate(`the stream at port ${this.#port} sent ${conversationId} ${msgSeq} after ${last}`);
        }
        this.#last.set(conversationId, msgSeq);
      },
      onEnd: (end) => {
        if (end !== "closed") ledger.violate(`the stream at port ${this.#port} ended for good: ${end}`);
      },
    });
  }

  /** The last place that was received of a conversation; 0 for none. */
  lastOf(conversationId: string): number {
    return this.#last.get(conversationId) ?? 0;
  }

  get name(): string {
    return `the stream at port ${this.#port}`;
  }

  [Symbol.dispose](): void {
    this.#stream.close();
  }
}
