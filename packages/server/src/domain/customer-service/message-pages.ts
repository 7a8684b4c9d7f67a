import { JsonItems } from "../../platform/http/json-items.ts";
import type { LargeAnswers } from "../../platform/http/large-answers.ts";
import { PAGE_BYTES, SLICE_BYTES } from "../../platform/http/large-answers.ts";
import { groupsByBytes } from "../../platform/storage/groups-by-bytes.ts";
import type { Storage } from "../../platform/storage/storage.ts";
import { type CustomerMessageRow, listMessages, measureMessages } from "./message-store.ts";

/** The dependencies of reading a page. */
interface Parts {
  storage: Storage;
  largeAnswers: LargeAnswers;
}

/** Messages for an answer, read while it is written. */
interface SlicedMessages {
  slices: AsyncGenerator<JsonItems>;
  /** Whether there is at most one slice. */
  isOne: boolean;
}

/** A range of a visitor's messages between two `seq`, both included, at most 100. */
interface Range {
  from: number;
  to: number;
}

/**
 * A page of a visitor's messages, oldest first: at most `limit`, and fewer when contents are large. It is read while it
 * is written.
 *
 * @param room waits until an answer of this many bytes fits into memory.
 * @param range.fromEnd whether to return the newest of them rather than the oldest.
 */
export async function getMessagePage(
  parts: Parts,
  room: (bytes: number) => Promise<void>,
  visitorId: string,
  { from, to, limit, fromEnd }: Range & { limit: number; fromEnd: boolean },
  show: (row: CustomerMessageRow) => unknown,
): Promise<SlicedMessages> {
  const range = fromEnd ? { from: Math.max(from, to - limit + 1), to } : { from, to: Math.min(to, from + limit - 1) };
  const lengths = await measureMessages(parts.storage.db, visitorId, range);
  const [page] = groupsByBytes(fromEnd ? lengths.toReversed() : lengths, ({ bytes }) => bytes, PAGE_BYTES);
  const chosen = fromEnd ? page?.items.toReversed() : page?.items;
  return await getMeasured(parts, room, visitorId, chosen ?? [], show);
}

/** Like {@link getMessagePage}, but returns all messages of the range, however large. */
export async function getAllMessages(
  parts: Parts,
  room: (bytes: number) => Promise<void>,
  visitorId: string,
  range: Range,
  show: (row: CustomerMessageRow) => unknown,
): Promise<SlicedMessages> {
  const lengths = await measureMessages(parts.storage.db, visitorId, range);
  return await getMeasured(parts, room, visitorId, lengths, show);
}

async function getMeasured(
  { storage, largeAnswers }: Parts,
  room: (bytes: number) => Promise<void>,
  visitorId: string,
  messages: readonly { seq: number; bytes: number }[],
  show: (row: CustomerMessageRow) => unknown,
): Promise<SlicedMessages> {
  const slices = groupsByBytes(messages, ({ bytes }) => bytes, SLICE_BYTES);
  await room(Math.max(0, ...slices.map(({ bytes }) => bytes)));
  const read = async function* () {
    for (const { items, bytes } of slices) {
      const range = { from: items[0]?.seq ?? 0, to: items.at(-1)?.seq ?? 0 };
      const slice = await largeAnswers.read(bytes, async () => {
        const rows = await listMessages(storage.db, visitorId, range);
        return JsonItems.of(rows.map(show));
      });
      await storage.synced();
      yield slice;
    }
  };
  return { slices: read(), isOne: slices.length <= 1 };
}
