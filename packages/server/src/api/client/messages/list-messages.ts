import { CLIENT_ENDPOINTS } from "@portico/protocol/endpoints";
import { parseConversationId } from "../../../domain/conversations/conversation-access.ts";
import { historyText } from "../../../domain/conversations/message-texts.ts";
import { listConversationMessages } from "../../../domain/conversations/message-view.ts";
import { historyPage, type MeasuredMessage } from "../../../domain/conversations/page-size.ts";
import { pageOf } from "../../../domain/conversations/shown/page-of.ts";
import { InSlices } from "../../../platform/http/in-slices.ts";
import { JsonItems } from "../../../platform/http/json-items.ts";
import { PAGE_BYTES, SLICE_BYTES } from "../../../platform/http/large-answers.ts";
import { type ByteGroup, groupsByBytes } from "../../../platform/storage/groups-by-bytes.ts";
import type { ClientRoute } from "../../common/member-route.ts";
import type { ShownParts } from "../parts.ts";

const DEFAULT_LIMIT = 50;

/** GET /api/client/v1/conversations/{id}/messages, newest last; a page with large contents has fewer entries. */
export const listMessages: ClientRoute<typeof CLIENT_ENDPOINTS.listMessages, ShownParts> = {
  endpoint: CLIENT_ENDPOINTS.listMessages,
  async handle(ctx, { member, params, query, room }) {
    const { db } = ctx.storage;
    const named = parseConversationId(member, params.conversationId);
    const { conversationKey } = named;
    const { beforeSeq, limit = DEFAULT_LIMIT } = query;
    const whole = await pageOf(ctx, { member, named }, `history ${beforeSeq ?? ""} ${limit}`, () =>
      historyText(ctx.storage, conversationKey, { beforeSeq, limit }),
    );
    if (whole !== null) return InSlices.whole("items", whole, {});
    const page = await historyPage(db, conversationKey, { beforeSeq, limit, maxBytes: PAGE_BYTES });
    const slices = groupsByBytes(page, ({ bytes }) => bytes, SLICE_BYTES);
    await room(Math.max(0, ...slices.map(({ bytes }) => bytes)));
    return InSlices.of("items", slicesOf(ctx, conversationKey, slices), {}, slices.length <= 1);
  },
};

async function* slicesOf(
  { storage, largeAnswers }: ShownParts,
  conversationKey: string,
  slices: readonly ByteGroup<MeasuredMessage>[],
): AsyncGenerator<JsonItems> {
  for (const { items, bytes } of slices) {
    const range = { from: items[0]?.msgSeq ?? 0, to: items.at(-1)?.msgSeq ?? 0, limit: items.length };
    const slice = await largeAnswers.read(bytes, async () =>
      JsonItems.of(await listConversationMessages(storage.db, conversationKey, range)),
    );
    await storage.synced();
    yield slice;
  }
}
