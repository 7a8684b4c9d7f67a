import { setImmediate } from "node:timers/promises";
import type { Logger } from "pino";
import type { OnePerTurn } from "../../../platform/limits/one-per-turn.ts";
import { Turns } from "../../../platform/limits/turns.ts";
import type { Storage } from "../../../platform/storage/storage.ts";
import type { ClientSocket } from "../../../platform/streams/client-socket.ts";
import { readLastSeqs } from "../../conversations/sequence-store.ts";
import type { DeskHub } from "../desk-hub.ts";
import { type CustomerMessageRow, lastSeqOf, listMessagePage, visitorKey } from "../message-store.ts";

/** What a thread needs. */
interface Parts {
  storage: Storage;
  log: Logger;
  turns: OnePerTurn;
}

/** So many streams read messages at the same time. */
const READING_AT_ONCE = 8;
/** Hints may be lost between processes; this often the counters are looked at without one. */
const LOOK_EVERY_MS = 3_000;
const LOOK_AT_ONCE = 500;

/** The threads of one kind of streams in this process: tells each that there is something to read. */
export class Threads {
  readonly #parts: Parts;
  readonly #threads = new Map<string, Set<Thread>>();
  readonly #turns = new Turns(READING_AT_ONCE);
  readonly #timer: NodeJS.Timeout;
  readonly #unlisten: () => void;
  #looking = false;

  constructor(parts: Parts & { deskLive: DeskHub }) {
    this.#parts = parts;
    this.#unlisten = parts.deskLive.listen((_appId, hint) => {
      if (hint.type === "message") this.#hint(hint.visitorId, hint.seq);
    });
    this.#timer = setInterval(() => void this.#look(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#unlisten();
  }

  /** The last `seq` of each of these visitors, by visitorId. */
  async lastSeqs(visitorIds: readonly string[]): Promise<Map<string, number>> {
    const lastSeqs = await readLastSeqs(this.#parts.storage.db, visitorIds.map(visitorKey));
    return new Map(visitorIds.map((visitorId) => [visitorId, lastSeqs.get(visitorKey(visitorId)) ?? 0]));
  }

  /** A thread of this visitor, told from now on; it is to be {@link Thread.open}ed, and closed at last. */
  add(visitorId: string, write: (message: CustomerMessageRow) => string): Thread {
    const thread = new Thread(this.#parts, this.#turns, { visitorId, write, onClosed: () => this.#remove(thread) });
    const threads = this.#threads.get(visitorId);
    if (threads === undefined) this.#threads.set(visitorId, new Set([thread]));
    else threads.add(thread);
    return thread;
  }

  #remove(thread: Thread): void {
    const threads = this.#threads.get(thread.visitorId);
    threads?.delete(thread);
    if (threads?.size === 0) this.#threads.delete(thread.visitorId);
  }

  #hint(visitorId: string, seq: number): void {
    for (const thread of this.#threads.get(visitorId) ?? []) thread.hint(seq);
  }

  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      const visitorIds = [...this.#threads.keys()];
      for (let from = 0; from < visitorIds.length; from += LOOK_AT_ONCE) {
        if (from > 0) await setImmediate();
        const some = visitorIds.slice(from, from + LOOK_AT_ONCE);
        const lastSeqs = await readLastSeqs(this.#parts.storage.db, some.map(visitorKey));
        for (const visitorId of some) this.#hint(visitorId, lastSeqs.get(visitorKey(visitorId)) ?? 0);
      }
    } catch (error) {
      this.#parts.log.warn({ err: error }, "the visitors' counters could not be read; tried again shortly");
    } finally {
      this.#looking = false;
    }
  }
}

/**
 * A visitor's messages on their way over one stream. The database is the truth: a hint only makes the thread read on from
 * the last `seq` it sent, page by page as the client takes them. So each message comes once and in order, and a client
 * that is slow costs no memory.
 */
export class Thread {
  readonly visitorId: string;
  readonly #parts: Parts;
  readonly #turns: Turns;
  readonly #write: (message: CustomerMessageRow) => string;
  readonly #onClosed: () => void;
  /** The last `seq` that was sent; null until it is known where to begin. */
  #sent: number | null = null;
  /** Up to here there is something to read, as far as has been heard. */
  #target = 0;
  /** Another with each place the client goes back to: a page read for an earlier one is dropped. */
  #round = 0;
  #socket: ClientSocket | null = null;
  #running: Promise<void> | null = null;
  #closed = false;

  constructor(
    parts: Parts,
    turns: Turns,
    {
      visitorId,
      write,
      onClosed,
    }: { visitorId: string; write: (message: CustomerMessageRow) => string; onClosed: () => void },
  ) {
    this.visitorId = visitorId;
    this.#parts = parts;
    this.#turns = turns;
    this.#write = write;
    this.#onClosed = onClosed;
  }

  /** Begins with what is said from now on. */
  async open(): Promise<void> {
    const lastSeq = await lastSeqOf(this.#parts.storage.db, this.visitorId);
    this.#sent ??= lastSeq;
    this.#readOn();
  }

  attach(socket: ClientSocket): void {
    this.#socket = socket;
    this.#readOn();
  }

  /** There is a message of this `seq`; what another process sent may be anything. */
  hint(seq: number): void {
    if (!Number.isSafeInteger(seq) || seq <= this.#target) return;
    this.#target = seq;
    this.#readOn();
  }

  /** Goes on from after `seq`; one from the future counts as now. */
  async resume(seq: number): Promise<void> {
    this.resumeFrom(seq, await lastSeqOf(this.#parts.storage.db, this.visitorId));
  }

  /** The same where the visitor's last `seq` is known. */
  resumeFrom(seq: number, lastSeq: number): void {
    this.#round++;
    this.#sent = Math.min(seq, lastSeq);
    this.#target = Math.max(this.#target, lastSeq);
    this.#readOn();
  }

  /** Resolves once what has been said until now is sent, or the client takes nothing more. */
  async flush(): Promise<void> {
    this.hint(await lastSeqOf(this.#parts.storage.db, this.visitorId));
    while (this.#running !== null) await this.#running;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#onClosed();
  }

  #isBehind(): boolean {
    return !this.#closed && this.#sent !== null && this.#sent < this.#target;
  }

  #readOn(): void {
    const socket = this.#socket;
    if (this.#running !== null || socket === null || !socket.isOpen || !this.#isBehind()) return;
    this.#running = this.#readAll(socket).then(
      () => {
        this.#running = null;
        // Something may have been said since the last look.
        this.#readOn();
      },
      (error: unknown) => {
        this.#running = null;
        this.#parts.log.warn({ err: error }, "a visitor's messages could not be read; tried again shortly");
        // So that the next look, which finds the same, counts.
        this.#target = this.#sent ?? 0;
      },
    );
  }

  async #readAll(socket: ClientSocket): Promise<void> {
    while (this.#isBehind() && (await socket.drained())) {
      await this.#parts.turns.next();
      await this.#turns.run(() => this.#readPage(socket));
    }
  }

  async #readPage(socket: ClientSocket): Promise<void> {
    const [round, target, sent] = [this.#round, this.#target, this.#sent];
    if (sent === null) return;
    const page = await listMessagePage(this.#parts.storage.db, this.visitorId, { from: sent + 1, to: target });
    await this.#parts.storage.synced();
    if (this.#closed || round !== this.#round) return;
    for (const row of page) socket.send(this.#write(row));
    this.#sent = page.at(-1)?.seq ?? sent;
    // A hint of what is not there: without this, it would be looked for again at once.
    if (page.length === 0 && this.#target === target) this.#target = sent;
  }
}
