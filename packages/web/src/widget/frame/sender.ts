import { ApiRefusedError } from "@portico/protocol/client/errors";
import { isPictureType, pictureSize } from "../../shared/text/pictures.ts";
import { call } from "./calls.ts";
import type { Outbox, Outgoing } from "./outbox.ts";

/** The delays between tries: the first, and the longest. */
const FIRST_DELAY_MS = 2_000;
const MAX_DELAY_MS = 30_000;

/** What a sender needs. */
export interface SenderParts {
  /** Makes a call with the visitor's token. */
  authorised<T>(use: (token: string) => Promise<T>): Promise<T>;
  onChange(): void;
  /** Called after a message has been taken, with its number. */
  onSent(clientMessageId: string, seq: number): Promise<void>;
  onRefused(error: ApiRefusedError): void;
}

/** Sends what is in an outbox, in order, one at a time; what finds no service is tried again, what is refused is not. */
export class Sender {
  readonly #outbox: Outbox;
  readonly #parts: SenderParts;
  #isRunning = false;
  #isClosed = false;
  #timer = 0;
  #tries = 0;

  constructor(outbox: Outbox, parts: SenderParts) {
    this.#outbox = outbox;
    this.#parts = parts;
  }

  /** Sends what waits, unless that is being done. */
  async run(): Promise<void> {
    if (this.#isRunning || this.#isClosed) return;
    this.#isRunning = true;
    clearTimeout(this.#timer);
    try {
      for (let next = this.#next; next !== undefined && !this.#isClosed; next = this.#next) {
        if (!(await this.#send(next))) return;
      }
    } finally {
      this.#isRunning = false;
    }
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  get #next(): Outgoing | undefined {
    return this.#outbox.items.find(({ state }) => state === "queued" || state === "waiting");
  }

  /** False when the next one has to wait, too. */
  async #send(outgoing: Outgoing): Promise<boolean> {
    const { clientMessageId } = outgoing;
    this.#mark(clientMessageId, "sending");
    try {
      const body = { ...(await this.#contentOf(outgoing)), clientMessageId };
      const { seq } = await this.#parts.authorised((token) => call("postMessage", token, { body }));
      this.#tries = 0;
      this.#mark(clientMessageId, "sent");
      await this.#parts.onSent(clientMessageId, seq);
      return true;
    } catch (error) {
      const isForGood = error instanceof ApiRefusedError && error.httpStatus < 500 && error.httpStatus !== 429;
      if (!isForGood && !this.#isClosed) this.#outbox.delay();
      this.#mark(clientMessageId, isForGood ? "failed" : "waiting");
      if (error instanceof ApiRefusedError) this.#parts.onRefused(error);
      if (isForGood) return true;
      this.#later(error instanceof ApiRefusedError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0);
      return false;
    }
  }

  async #contentOf(outgoing: Outgoing): Promise<{ content: unknown; msgType: "text" | "image" | "file" }> {
    if (outgoing.kind === "text") return { content: outgoing.text, msgType: "text" };
    const { file } = outgoing;
    const { fileKey, mimeType } = await this.#parts.authorised((token) =>
      call("uploadFile", token, { file, fileName: file.name }),
    );
    if (!isPictureType(mimeType)) return { content: { fileKey }, msgType: "file" };
    return { content: { fileKey, ...(await pictureSize(file)) }, msgType: "image" };
  }

  #mark(clientMessageId: string, state: Outgoing["state"]): void {
    if (this.#isClosed) return;
    this.#outbox.mark(clientMessageId, state);
    this.#parts.onChange();
  }

  #later(atLeastMs: number): void {
    if (this.#isClosed) return;
    const delayMs = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(this.#tries++, 8));
    this.#timer = window.setTimeout(() => void this.run(), Math.max(atLeastMs, delayMs));
  }
}
