import { randomId } from "../../shared/calls/random-id.ts";
import { forget, keep, kept, keysWith } from "./storage.ts";

/** The most messages that wait to be sent, and the most of them that are kept across pages. */
export const MAX_WAITING = 20;

/** What is sent: a text, or a file. */
export type Draft = { kind: "text"; text: string } | { kind: "file"; file: File };

/** A message on its way. */
export type Outgoing = Draft & {
  /** Makes its repetition harmless. */
  clientMessageId: string;
  writtenAt: number;
  /**
   * `queued` has not been tried; `waiting` found no service, and is tried again by itself; `failed` only when the visitor
   * says so; `sent` until it comes back.
   */
  state: "queued" | "sending" | "waiting" | "failed" | "sent";
};

/** Under which everything is kept that waits in an application. */
const prefixOf = (appId: string) => `portico-outbox:${appId}:`;

/** Forgets what waits to be sent, whoever wrote it. */
export function forgetOutboxes(appId: string): void {
  for (const key of keysWith(prefixOf(appId))) forget(key);
}

/**
 * Messages that the service does not have yet. Texts are kept across pages, each under a key of its own, as other tabs keep
 * theirs in the same place; files last as long as the page.
 */
export class Outbox {
  readonly #appId: string;
  /** Null when nothing is kept. */
  readonly #prefix: string | null;
  #items: readonly Outgoing[];

  /** @param writer whose texts are kept; null while that is not known: the next page may be somebody else's. */
  constructor(appId: string, writer: string | null) {
    this.#appId = appId;
    this.#prefix = writer === null ? null : `${prefixOf(appId)}${writer}:`;
    this.#items = this.#prefix === null ? [] : readAll(this.#prefix);
  }

  get items(): readonly Outgoing[] {
    return this.#items;
  }

  /** Adds messages, all or none: false when too many would wait. */
  add(drafts: readonly Draft[]): boolean {
    if (this.#items.length + drafts.length > MAX_WAITING) return false;
    const writtenAt = Date.now();
    const added = drafts.map(
      (draft): Outgoing => ({ ...draft, clientMessageId: randomId(), writtenAt, state: "queued" }),
    );
    this.#set([...this.#items, ...added]);
    return true;
  }

  /** Takes over what another outbox has not sent, and empties that. */
  adopt(other: Outbox): void {
    const rest = other.items.filter(({ state }) => state !== "sent");
    other.#set([]);
    if (rest.length === 0) return;
    this.#set([...this.#items, ...rest.map((item): Outgoing => ({ ...item, state: stateAgain(item.state) }))]);
  }

  mark(clientMessageId: string, state: Outgoing["state"]): void {
    this.#set(this.#items.map((item) => (item.clientMessageId === clientMessageId ? { ...item, state } : item)));
  }

  /** The service could not be reached: nothing goes before the next try. */
  delay(): void {
    this.#set(this.#items.map((item) => (item.state === "queued" ? { ...item, state: "waiting" } : item)));
  }

  remove(clientMessageId: string): void {
    if (this.#items.some((item) => item.clientMessageId === clientMessageId)) {
      this.#set(this.#items.filter((item) => item.clientMessageId !== clientMessageId));
    }
  }

  /** Forgets everything, also what other visitors and tabs have kept. */
  clear(): void {
    this.#items = [];
    forgetOutboxes(this.#appId);
  }

  #set(items: readonly Outgoing[]): void {
    const before = this.#items;
    this.#items = items;
    if (this.#prefix === null) return;
    for (const { clientMessageId } of before) {
      if (!items.some((item) => item.clientMessageId === clientMessageId)) forget(this.#prefix + clientMessageId);
    }
    for (const item of items) {
      if (item.kind === "text" && !before.includes(item))
        keep(this.#prefix + item.clientMessageId, JSON.stringify(item));
    }
  }
}

/** What was on its way when it was interrupted may have arrived, or not: it is sent again. */
function stateAgain(state: Outgoing["state"]): Outgoing["state"] {
  return state === "failed" ? "failed" : "queued";
}

/** What was written first comes first. */
function readAll(prefix: string): Outgoing[] {
  return keysWith(prefix)
    .map((key) => read(kept(key)))
    .filter((item) => item !== null)
    .sort((one, other) => one.writtenAt - other.writtenAt)
    .slice(0, MAX_WAITING);
}

function read(text: string | null): Outgoing | null {
  try {
    const item: unknown = JSON.parse(text ?? "null");
    return isOutgoingText(item) ? { ...item, state: stateAgain(item.state) } : null;
  } catch {
    return null;
  }
}

function isOutgoingText(item: unknown): item is Outgoing & { kind: "text" } {
  if (typeof item !== "object" || item === null) return false;
  const { kind, text, clientMessageId, writtenAt } = item as Record<string, unknown>;
  return (
    kind === "text" && typeof text === "string" && typeof clientMessageId === "string" && typeof writtenAt === "number"
  );
}
