import { LiveStream, OWN_CONVERSATION, VISITOR_STREAM, type VisitorFrame } from "@portico/protocol/client";
import type { CustomerSession } from "@portico/protocol/customer";
import type { WidgetMessage } from "@portico/protocol/schemas";
import type { Credentials } from "./credentials.ts";

/** So often a stream is begun anew when its token has been refused. */
const MOST_REFUSALS = 3;

/** What is done with what arrives. */
interface Listener {
  onMessage(message: WidgetMessage): void;
  onSession(session: CustomerSession): void;
  onTyping(): void;
  onRead(seq: number): void;
  onState(isConnected: boolean): void;
  /** There is no token any more. */
  onRefused(error: unknown): void;
}

/** The visitor's live stream, begun again with another token when the first one has ended. */
export class LiveConnection {
  readonly #credentials: Credentials;
  readonly #listener: Listener;
  #stream: LiveStream<VisitorFrame>;
  #token = "";
  #refusals = 0;
  #isClosed = false;

  /** @param afterSeq the last message that is known. */
  constructor(credentials: Credentials, afterSeq: number, listener: Listener) {
    this.#credentials = credentials;
    this.#listener = listener;
    this.#stream = this.#begin(afterSeq);
  }

  /** Sends a frame; false when the stream is not live. */
  send(frame: { type: "typing" } | { type: "read"; seq: number }): boolean {
    return this.#stream.send(frame);
  }

  check(): void {
    this.#stream.check();
  }

  close(): void {
    this.#isClosed = true;
    this.#stream.close();
  }

  #begin(afterSeq: number): LiveStream<VisitorFrame> {
    return new LiveStream<VisitorFrame>({
      baseUrl: location.origin,
      kind: VISITOR_STREAM,
      places: [[OWN_CONVERSATION, afterSeq]],
      token: async () => {
        const token = await this.#credentials.token();
        if (token === null) throw new Error("there is no visitor");
        this.#token = token;
        return token;
      },
      onFrame: (frame) => this.#take(frame),
      onState: (state) => {
        if (state === "live") this.#refusals = 0;
        if (state !== "connecting") this.#listener.onState(state === "live");
      },
      onEnd: (end) => {
        if (end === "signed-out") void this.#renew();
      },
    });
  }

  /** The token has expired, or the visitor was signed out: with another token the conversation goes on. */
  async #renew(): Promise<void> {
    const afterSeq = this.#stream.places.get(OWN_CONVERSATION) ?? 0;
    this.#credentials.refuse(this.#token);
    try {
      if (this.#refusals++ >= MOST_REFUSALS) throw new Error("no token is taken");
      if ((await this.#credentials.token()) === null) throw new Error("there is no visitor any more");
      if (!this.#isClosed) this.#stream = this.#begin(afterSeq);
    } catch (error) {
      if (!this.#isClosed) this.#listener.onRefused(error);
    }
  }

  #take(frame: VisitorFrame): void {
    switch (frame.type) {
      case "message.created":
        this.#listener.onMessage(frame.message);
        break;
      case "session.changed":
        this.#listener.onSession(frame.session);
        break;
      case "typing":
        this.#listener.onTyping();
        break;
      case "read":
        this.#listener.onRead(frame.seq);
    }
  }
}
