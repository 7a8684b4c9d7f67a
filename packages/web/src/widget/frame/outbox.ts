import { randomId } from "../../shared/calls/random-id.ts";
import { forgetFile, forgetFilesOf, keepFile, keptFile } from "./file-store.ts";
import { type Draft, isOnItsWay, type Outgoing, readOutgoing, writtenOf } from "./outgoing.ts";
import { forget, keep, kept, keysWith } from "./storage.ts";

/** The most messages that wait to be sent, and the most of them that are kept across pages. */
export const MAX_WAITING = 20;
/** The most bytes of files that are kept across pages. */
const MAX_KEPT_BYTES = 64_000_000;

/** Under which everything is kept that waits in an application. */
const prefixOf = (appId: string) => `portico-outbox:${appId}:`;
/** The same of the files, each under the id of its message. */
const filePrefixOf = (appId: string) => `${appId}:`;

/** Forgets what waits to be sent, whoever wrote it. */
export async function forgetOutboxes(appId: string): Promise<void> {
  for (const key of keysWith(prefixOf(appId))) forget(key);
  await forgetFilesOf(filePrefixOf(appId));
}

/** Forgets files whose messages are gone, as when a browser was ended while it kept them. */
export async function forgetLostFiles(appId: string): Promise<void> {
  const ids = keysWith(prefixOf(appId)).map((key) => key.slice(key.lastIndexOf(":") + 1));
  await forgetFilesOf(filePrefixOf(appId), new Set(ids.map((id) => filePrefixOf(appId) + id)));
}

/**
 * Messages that the service does not have yet. They are kept across pages, each under a key of its own, as other tabs keep
 * theirs in the same place.
 */
export class Outbox {
  readonly #appId: string;
  readonly #onChange: () => void;
  /** Null when nothing is kept. */
  readonly #prefix: string | null;
  #items: readonly Outgoing[];

  /** @param writer whose messages are kept; null while that is not known: the next page may be somebody else's. */
  constructor(appId: string, writer: string | null, onChange: () => void = () => {}) {
    this.#appId = appId;
    this.#onChange = onChange;
    this.#prefix = writer === null ? null : `${prefixOf(appId)}${writer}:`;
    this.#items = this.#prefix === null ? [] : readAll(this.#prefix);
  }

  get items(): readonly Outgoing[] {
    return this.#items;
  }

  /** Adds messages, all or none: false when too many would wait. */
  add(drafts: readonly Draft[]): boolean {
    if (this.#items.length + drafts.length > MAX_WAITING) return false;
    const now = Date.now();
    // The next page has them in the same order.
    this.#take(drafts.map((draft, n) => ({ ...draft, clientMessageId: randomId(), writtenAt: now + n, ...NEW })));
    return true;
  }

  /** Takes over what another outbox has not sent, and empties that. */
  adopt(other: Outbox): void {
    const rest = other.items.filter(({ state }) => state !== "sent");
    other.#set([]);
    if (rest.length > 0) this.#take(rest.map((item) => (isOnItsWay(item) ? { ...item, state: "queued" } : item)));
  }

  mark(clientMessageId: string, state: Outgoing["state"]): void {
    this.#set(this.#items.map((item) => (item.clientMessageId === clientMessageId ? { ...item, state } : item)));
  }

  /** The service could not be reached: nothing goes before the next try. */
  delay(): void {
    this.#set(this.#items.map((item) => (item.state === "queued" ? { ...item, state: "waiting" } : item)));
  }

  remove(clientMessageId: string): void {
    const item = this.#items.find((each) => each.clientMessageId === clientMessageId);
    if (item === undefined) return;
    this.#set(this.#items.filter((each) => each !== item));
    if (item.kind === "file") void forgetFile(this.#fileKey(item));
  }

  /** The file of a message, which may have been attached on an earlier page; null when it is not there any more. */
  async fileOf(item: Outgoing & { kind: "file" }): Promise<File | null> {
    return item.file ?? (await keptFile(this.#fileKey(item)));
  }

  /** Forgets everything, also what other visitors and tabs have kept. */
  clear(): void {
    this.#items = [];
    void forgetOutboxes(this.#appId);
    this.#onChange();
  }

  #take(items: readonly Outgoing[]): void {
    this.#set([...this.#items, ...items]);
    for (const item of items) if (item.kind === "file" && !item.isKept) void this.#keepFile(item);
  }

  async #keepFile(item: Outgoing & { kind: "file" }): Promise<void> {
    if (this.#prefix === null || item.file === null) return;
    const bytes = this.#items.reduce((sum, each) => sum + (each.kind === "file" ? each.size : 0), 0);
    if (bytes > MAX_KEPT_BYTES || !(await keepFile(this.#fileKey(item), item.file))) return;
    const { clientMessageId } = item;
    // It may have been sent meanwhile.
    if (!this.#items.some((each) => each.clientMessageId === clientMessageId)) return forgetFile(this.#fileKey(item));
    this.#set(this.#items.map((each) => (each.clientMessageId === clientMessageId ? { ...each, isKept: true } : each)));
  }

  #fileKey({ clientMessageId }: Outgoing): string {
    return filePrefixOf(this.#appId) + clientMessageId;
  }

  #set(items: readonly Outgoing[]): void {
    const before = this.#items;
    this.#items = items.map((item) => (before.includes(item) ? item : this.#keepItem(item)));
    for (const { clientMessageId } of before) {
      if (this.#prefix !== null && !items.some((item) => item.clientMessageId === clientMessageId)) {
        forget(this.#prefix + clientMessageId);
      }
    }
    this.#onChange();
  }

  /** A text at once; of a file, its message when the browser has taken the file. */
  #keepItem(item: Outgoing): Outgoing {
    if (this.#prefix === null || (item.kind === "file" && !item.isKept)) return item;
    const isKept = keep(this.#prefix + item.clientMessageId, writtenOf(item));
    return { ...item, isKept };
  }
}

const NEW = { state: "queued", isKept: false } as const;

/** What was written first comes first. */
function readAll(prefix: string): Outgoing[] {
  return keysWith(prefix)
    .map((key) => readOutgoing(kept(key)))
    .filter((item) => item !== null)
    .sort((one, other) => one.writtenAt - other.writtenAt)
    .slice(0, MAX_WAITING);
}
