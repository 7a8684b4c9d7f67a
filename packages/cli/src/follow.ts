import { setTimeout as sleep } from "node:timers/promises";
import { ConsoleRefusedError } from "@portico/protocol/client";
import { TransportError } from "@portico/sdk";
import { awaitInterruption } from "./interruption.ts";
import { NewItems, type Page } from "./new-items.ts";
import { complain } from "./terminal.ts";

const POLL_EVERY_MS = 1_000;
/** The longest time between two attempts to reach a service that is gone. */
const MAX_PAUSE_MS = 15_000;
/** The most pages of one look: more new items at once are left out. */
const MAX_PAGES = 20;
/** A service with several processes may list an item a little later than a newer one. */
const OVERLAP_MS = 60_000;

/** A list that grows, newest first. */
export interface Followed<Item, Place> {
  /** A page, beginning at `place`, of the items not older than `from` (epoch milliseconds), both if they are given. */
  list(
    range: { from?: number | undefined; place?: Place | undefined },
    signal: AbortSignal,
  ): Promise<Page<Item, Place>>;
  idOf(item: Item): string;
  /** In epoch milliseconds. */
  timeOf(item: Item): number;
  /** Whether it is worth waiting a while, for what will become of the item. */
  isUnderWay?(item: Item): boolean;
  show(item: Item): void;
}

/**
 * Shows what is new in a list, oldest first and each once, until the user interrupts it. A connection that is lost is
 * reported and sought again; what came meanwhile is shown then.
 *
 * @throws what `list` throws at first, or when another attempt would not help.
 */
export async function follow<Item, Place>(followed: Followed<Item, Place>): Promise<void> {
  using interruption = awaitInterruption();
  const { signal } = interruption;
  const items = new NewItems(followed);
  let failures = 0;
  while (!signal.aborted) {
    try {
      const isFirst = !items.begun;
      for (const item of await look(followed, items, signal)) followed.show(item);
      if (isFirst) complain("following; Ctrl-C ends it");
      if (failures > 0) complain("connected again");
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      if (!items.begun || !mayPass(error)) throw error;
      if (failures++ === 0) complain("the connection is lost; trying to connect again, Ctrl-C ends it");
    }
    const pauseMs = Math.min(POLL_EVERY_MS * 2 ** Math.min(failures, 10), MAX_PAUSE_MS);
    await sleep(failures === 0 ? POLL_EVERY_MS : pauseMs, undefined, { signal }).catch(() => {});
  }
}

/** Reads pages until nothing in one is new. */
async function look<Item, Place>(
  { list }: Followed<Item, Place>,
  items: NewItems<Item>,
  signal: AbortSignal,
): Promise<Item[]> {
  const from = items.newestAt === undefined ? undefined : items.newestAt - OVERLAP_MS;
  const read: Item[] = [];
  let place: Place | undefined;
  for (let n = 0; n < MAX_PAGES; n++) {
    const page = await list({ from, place }, signal);
    read.push(...page.items);
    if (page.next === null || !items.begun || !page.items.some((item) => items.isNew(item))) return items.take(read);
    place = page.next;
  }
  complain("too much is new at once: some of it is left out");
  return items.take(read);
}

/** Whether an error may go away by itself. */
function mayPass(error: unknown): boolean {
  if (error instanceof ConsoleRefusedError) return error.status >= 500 || error.status === 429;
  return error instanceof TransportError;
}
