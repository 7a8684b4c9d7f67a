import { ApiRefusedError } from "@portico/protocol/client/errors";
import { isPictureType, pictureSize } from "../../shared/text/pictures.ts";
import { call } from "./calls.ts";
import type { Outbox } from "./outbox.ts";
import type { Outgoing } from "./outgoing.ts";
import { askedToWaitMs, isForGood, Retry } from "./retry.ts";
import type { VisitorCalls } from "./visitor-calls.ts";

const DELAYS = { firstMs: 2_000, longestMs: 30_000 };

/** What a sender tells. */
export interface SenderListener {
  /** A message has been taken, with this number. */
  onSent(clientMessageId: string, seq: number): Promise<void>;
  onRefused(error: ApiRefusedError): void;
}

/** What is known of a file that the service has. */
type UploadedFile = Awaited<ReturnType<typeof call<"uploadFile">>>;

/** A file is not in the browser any more. */
class FileGone extends Error {}

/** Sends what is in an outbox, in order, one at a time; what finds no service is tried again, what is refused is not. */
export class Sender {
  readonly #outbox: Outbox;
  readonly #calls: VisitorCalls;
  readonly #listener: SenderListener;
  readonly #again = new Retry(DELAYS, () => void this.run());
  /** Files of messages that are still to be taken, which need not be sent again with each try. */
  readonly #uploaded = new Map<string, UploadedFile>();
  #isRunning = false;
  #isClosed = false;

  constructor(outbox: Outbox, calls: VisitorCalls, listener: SenderListener) {
    this.#outbox = outbox;
    this.#calls = calls;
    this.#listener = listener;
  }

  /** Sends what waits, unless that is being done. */
  async run(): Promise<void> {
    if (this.#isRunning || this.#isClosed) return;
    this.#isRunning = true;
    this.#again.cancel();
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
    this.#again.cancel();
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
      const { seq } = await this.#calls.make((token) => call("postMessage", token, { body }), true);
      this.#again.succeeded();
      this.#uploaded.delete(clientMessageId);
      this.#mark(clientMessageId, "sent");
      await this.#listener.onSent(clientMessageId, seq);
      return true;
    } catch (error) {
      if (error instanceof FileGone) this.#mark(clientMessageId, "gone");
      else if (isForGood(error)) {
        // The file may have been kept too long: another try sends it anew.
        this.#uploaded.delete(clientMessageId);
        this.#mark(clientMessageId, "failed");
      } else this.#wait(clientMessageId, error);
      if (error instanceof ApiRefusedError) this.#listener.onRefused(error);
      return error instanceof FileGone || isForGood(error);
    }
  }

  async #contentOf(outgoing: Outgoing): Promise<{ content: unknown; msgType: "text" | "image" | "file" }> {
    if (outgoing.kind === "text") return { content: outgoing.text, msgType: "text" };
    const file = await this.#outbox.fileOf(outgoing);
    if (file === null) throw new FileGone();
    const { fileKey, mimeType } = this.#uploaded.get(outgoing.clientMessageId) ?? (await this.#upload(outgoing, file));
    if (!isPictureType(mimeType)) return { content: { fileKey }, msgType: "file" };
    return { content: { fileKey, ...(await pictureSize(file)) }, msgType: "image" };
  }

  async #upload({ clientMessageId, name }: Outgoing & { kind: "file" }, file: File): Promise<UploadedFile> {
    const uploaded = await this.#calls.make((token) => call("uploadFile", token, { file, fileName: name }), true);
    this.#uploaded.set(clientMessageId, uploaded);
    return uploaded;
  }

  #wait(clientMessageId: string, error: unknown): void {
    if (this.#isClosed) return;
    this.#outbox.delay();
    this.#mark(clientMessageId, "waiting");
    this.#again.later(askedToWaitMs(error));
  }

  #mark(clientMessageId: string, state: Outgoing["state"]): void {
    if (!this.#isClosed) this.#outbox.mark(clientMessageId, state);
  }
}
