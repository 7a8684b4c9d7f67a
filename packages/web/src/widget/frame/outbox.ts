import { randomId } from "../../shared/calls/random-id.ts";
import { forget, keep, kept } from "./storage.ts";

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

/** Messages that the service does not have yet. Texts are kept across pages; files last as long as the page. */
export class Outbox {
  readonly #key: string;
  #items: readonly Outgoing[];

  constructor(appId: string, visitorId: string) {
    this.#key = `portico-outbox:${appId}:${visitorId}`;
    this.#items = read(kept(this.#key));
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
    other.clear();
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

  /** Forgets everything. */
  clear(): void {
    this.#items = [];
    forget(this.#key);
  }

  #set(items: readonly Outgoing[]): void {
    this.#items = items;
    const texts = items.filter((item) => item.kind === "text");
    if (texts.length === 0) forget(this.#key);
    else keep(this.#key, JSON.stringify(texts));
  }
}

/** What was on its way when it was interrupted may have arrived, or not: it is sent again. */
function stateAgain(state: Outgoing["state"]): Outgoing["state"] {
  return state === "failed" ? "failed" : "queued";
}

function read(text: string | null): Outgoing[] {
  try {
    const items: unknown = JSON.parse(text ?? "[]");
    if (!Array.isArray(items)) return [];
    return items
      .filter(isOutgoingText)
      .slice(0, MAX_WAITING)
      .map((item) => ({ ...item, state: stateAgain(item.state) }));
  } catch {
    return [];
  }
}

function isOutgoingText(item: unknown): item is Outgoing & { kind: "text" } {
  if (typeof item !== "object" || item === null) return false;
  const { kind, text, clientMessageId, writtenAt } = item as Record<string, unknown>;
  return (
    kind === "text" && typeof text === "string" && typeof clientMessageId === "string" && typeof writtenAt === "number"
  );
}
