import type { Context } from "../context.ts";
import { PAGE_BYTES } from "../http/large-answers.ts";
import { type CustomerMessageRow, listMessages, measureMessages } from "./message-store.ts";

/**
 * A page of a visitor's messages, oldest first: those from one `seq` to another, both included, at most `limit`, and fewer
 * where contents are large.
 *
 * @param room waits for room for an answer of so many bytes.
 * @param range.fromEnd whether the newest of them are meant, rather than the oldest.
 */
export async function readPage(
  { storage: { db }, largeAnswers }: Pick<Context, "storage" | "largeAnswers">,
  room: (bytes: number) => Promise<void>,
  visitorId: string,
  { from, to, limit, fromEnd }: { from: number; to: number; limit: number; fromEnd: boolean },
): Promise<CustomerMessageRow[]> {
  const range = fromEnd ? { from: Math.max(from, to - limit + 1), to } : { from, to: Math.min(to, from + limit - 1) };
  const [page] = await measureMessages(db, visitorId, { ...range, maxBytes: PAGE_BYTES, fromEnd });
  if (page === undefined) return [];
  await room(page.bytes);
  return await largeAnswers.read(page.bytes, () => listMessages(db, visitorId, page));
}
