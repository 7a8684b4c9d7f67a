import { LiveStream, OWN_CONVERSATION, VISITOR_STREAM, type VisitorFrame } from "@portico/protocol/client";
import type { CustomerSession } from "@portico/protocol/customer";
import type { WidgetMessage } from "@portico/protocol/schemas";
import { type Credentials, isDisabled } from "./credentials.ts";
import { Retry } from "./retry.ts";

/** A stream that has ended is begun anew after so long, but for the first refusal of its token: then at once. */
const DELAYS = { firstMs: 10_000, longestMs: 120_000 };

/** What is done with what arrives. */
interface Listener {
  onMessage(message: WidgetMessage): void;
  onSession(session: CustomerSession): void;
  onTyping(): void;
  onRead(seq: number): void;
  onState(isConnected: boolean): void;
  /** There is no visitor any more. */
  onSignedOut(): void;
  /** The owner of the application has disabled the visitor. */
  onDisabled(error: unknown): void;
}

/** The visitor's live stream, begun again with another token when the first one has ended. */
export class LiveConnection {
  readonly #credentials: Credentials;
  readonly #listener: Listener;
  readonly #again = new Retry(DELAYS, () => {
    this.#stream = this.#begin(this.#stream.places.get(OWN_CONVERSATION) ?? this.#afterSeq);
  });
  readonly #afterSeq: number;
  #stream: LiveStream<VisitorFrame>;
  #token = "";
  #isRefused = false;
  #isClosed = false;

  /** @param afterSeq the last message that is known. */
  constructor(credentials: Credentials, afterSeq: number, listener: Listener) {
    this.#credentials = credentials;
    this.#listener = listener;
    this.#afterSeq = afterSeq;
    this.#stream = this.#begin(afterSeq);
  }

  /** Sends a frame; false when the stream is not live. */
  send(frame: { type: "typing" } | { type: "read"; seq: number }): boolean {
    return this.#stream.send(frame);
  }

  /** The network may be back. */
  check(): void {
    if (this.#again.isPending) this.#again.now();
    else this.#stream.check();
  }

  close(): void {
    this.#isClosed = true;
    this.#again.cancel();
    this.#stream.close();
  }

  #begin(afterSeq: number): LiveStream<VisitorFrame> {
    return new LiveStream<VisitorFrame>({
      baseUrl: location.origin,
      kind: VISITOR_STREAM,
      places: [[OWN_CONVERSATION, afterSeq]],
      token: () => this.#nextToken(),
      onFrame: (frame) => this.#take(frame),
      onState: (state) => {
        if (state === "live") {
          this.#isRefused = false;
          this.#again.succeeded();
        }
        if (state !== "connecting") this.#listener.onState(state === "live");
      },
      onEnd: (end) => {
        if (end === "closed" || this.#isClosed) return;
        const isFirstRefusal = end === "signed-out" && !this.#isRefused;
        this.#isRefused = true;
        this.#credentials.refuse(this.#token);
        // Its token has expired, or the visitor was signed out.
        if (isFirstRefusal) queueMicrotask(() => !this.#isClosed && this.#again.now());
        else this.#again.later();
      },
    });
  }

  /** Rejects while there is none; the stream then tries again later. */
  async #nextToken(): Promise<string> {
    const token = await this.#credentials.token().catch((error: unknown) => {
      if (isDisabled(error) && !this.#isClosed) {
        this.close();
        this.#listener.onDisabled(error);
      }
      throw error;
    });
    if (token === null) {
      if (!this.#isClosed) {
        this.close();
        this.#listener.onSignedOut();
      }
      throw new Error("there is no visitor");
    }
    this.#token = token;
    return token;
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
