import { CLIENT_ENDPOINTS } from "@portico/protocol/endpoints";
import { parseConversationId } from "../../../domain/conversations/conversation-access.ts";
import { changesText } from "../../../domain/conversations/message-texts.ts";
import { listConversationChanges } from "../../../domain/conversations/message-view.ts";
import { changesPage, type PageSize } from "../../../domain/conversations/page-size.ts";
import { pageOf } from "../../../domain/conversations/shown/page-of.ts";
import { InSlices } from "../../../platform/http/in-slices.ts";
import { JsonItems } from "../../../platform/http/json-items.ts";
import { PAGE_BYTES, SLICE_BYTES } from "../../../platform/http/large-answers.ts";
import type { ClientRoute } from "../../common/member-route.ts";
import type { ShownParts } from "../parts.ts";

const DEFAULT_LIMIT = 50;

/** GET /api/client/v1/conversations/{id}/changes, in order; a page with large contents has fewer entries. */
export const listChanges: ClientRoute<typeof CLIENT_ENDPOINTS.listChanges, ShownParts> = {
  endpoint: CLIENT_ENDPOINTS.listChanges,
  async handle(ctx, { member, params, query, room }) {
    const { db } = ctx.storage;
    const named = parseConversationId(member, params.conversationId);
    const { conversationKey } = named;
    const { afterSeq = 0, limit = DEFAULT_LIMIT } = query;
    const whole = await pageOf(ctx, { member, named }, `changes ${afterSeq} ${limit}`, () =>
      changesText(ctx.storage, conversationKey, { afterSeq, limit }),
    );
    if (whole !== null) return InSlices.whole("items", whole, {});
    const first = await changesPage(db, conversationKey, { afterSeq, limit, maxBytes: SLICE_BYTES });
    const isOneSlice = first.limit === limit;
    // Any later slice may be as large as this.
    await room(isOneSlice ? first.bytes : SLICE_BYTES);
    const slices = slicesOf(ctx, conversationKey, { afterSeq, limit, first });
    return InSlices.of("items", slices, {}, isOneSlice);
  },
};

/** Yields changes after a position until there are `limit`, the page is full, or there are no more. */
async function* slicesOf(
  { storage, largeAnswers }: ShownParts,
  conversationKey: string,
  { afterSeq, limit, first }: { afterSeq: number; limit: number; first: PageSize },
): AsyncGenerator<JsonItems> {
  const { db } = storage;
  let [place, left, leftBytes] = [afterSeq, limit, PAGE_BYTES];
  for (let size = first; ; ) {
    const range = { afterSeq: place, limit: size.limit };
    const { slice, count, lastSeq } = await largeAnswers.read(size.bytes, async () => {
      const changes = await listConversationChanges(db, conversationKey, range);
      return { slice: JsonItems.of(changes), count: changes.length, lastSeq: changes.at(-1)?.msgSeq };
    });
    await storage.synced();
    yield slice;
    [left, leftBytes] = [left - count, leftBytes - size.bytes];
    if (lastSeq === undefined || count < size.limit || left === 0) return;
    place = lastSeq;
    size = await changesPage(db, conversationKey, { afterSeq: place, limit: left, maxBytes: SLICE_BYTES });
    // A change that does not fit into the rest of the page begins the next one.
    if (size.bytes > leftBytes) return;
  }
}
