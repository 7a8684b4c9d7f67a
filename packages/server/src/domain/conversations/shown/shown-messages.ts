import type { Clock } from "../../../platform/clock/clock.ts";
import { growingLru } from "../../../platform/limits/growing-lru.ts";
import type { ReadMark } from "../read-marks.ts";
import { SeqCache } from "./seq-cache.ts";

const PAGES_BYTES = 8 * 1024 * 1024;
const NEWEST_BYTES = 2 * 1024 * 1024;
const MARKS = 10_000;

/** What members have been shown of conversations, to be shown again without being read again. */
export class ShownMessages {
  /** Pages of history and changes as JSON: items, separated by commas. */
  readonly pages: SeqCache<Buffer>;
  /** The newest message of each conversation as JSON, `null` for none. */
  readonly newest: SeqCache<string>;
  readonly #marks = growingLru<ReadMark>(MARKS);

  constructor(clock: Clock) {
    this.pages = new SeqCache(clock, PAGES_BYTES, ({ length }) => length);
    // Characters take up to two bytes.
    this.newest = new SeqCache(clock, NEWEST_BYTES, ({ length }) => 2 * length);
  }

  /**
   * What a member has not read of a conversation, by how far both have come: this changes neither what is counted nor who wrote
   * it. Undefined when it has to be counted.
   */
  unreadCount(userId: string, conversationKey: string, lastSeq: number, readSeq: number): number | undefined {
    if (readSeq >= lastSeq) return 0;
    const mark = this.#marks.get(markName(userId, conversationKey));
    return mark?.lastSeq === lastSeq && mark.readSeq === readSeq ? mark.unreadCount : undefined;
  }

  keepMark(userId: string, conversationKey: string, mark: ReadMark): void {
    this.#marks.set(markName(userId, conversationKey), mark);
  }

  /** Call it when this process has changed the name of a member or a bot. */
  namesChanged(): void {
    this.pages.clear();
    this.newest.clear();
  }
}

function markName(userId: string, conversationKey: string): string {
  return `${userId}\n${conversationKey}`;
}
