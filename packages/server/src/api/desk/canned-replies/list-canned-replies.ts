import { DESK_ENDPOINTS } from "@portico/protocol/endpoints";
import { listReplies, measureReplies } from "../../../domain/customer-service/canned-reply-store.ts";
import { InSlices } from "../../../platform/http/in-slices.ts";
import { JsonItems } from "../../../platform/http/json-items.ts";
import { SLICE_BYTES } from "../../../platform/http/large-answers.ts";
import { type ByteGroup, groupsByBytes } from "../../../platform/storage/groups-by-bytes.ts";
import type { ClientRoute } from "../../common/member-route.ts";
import { agentAt } from "../desk-access.ts";
import type { DeskReadParts } from "../parts.ts";

/** The approximate size of a reply without its text. */
const OTHER_BYTES = 256;

/** GET apps/{appId}/canned-replies: all of them, by shortcut, so that the desk finds one while its agent types. */
export const listCannedReplies: ClientRoute<typeof DESK_ENDPOINTS.listCannedReplies, DeskReadParts> = {
  endpoint: DESK_ENDPOINTS.listCannedReplies,
  async handle(ctx, { member, params, room }) {
    const { db } = ctx.storage;
    const { appId } = await agentAt(ctx, db, member, params.appId);
    const groups = groupsByBytes(await measureReplies(db, appId), ({ bytes }) => bytes + OTHER_BYTES, SLICE_BYTES);
    await room(Math.max(0, ...groups.map(({ bytes }) => bytes)));
    return InSlices.of("items", slicesOf(ctx, appId, groups), {}, groups.length <= 1);
  },
};

async function* slicesOf(
  { storage, largeAnswers }: DeskReadParts,
  appId: string,
  groups: readonly ByteGroup<{ key: string }>[],
): AsyncGenerator<JsonItems> {
  for (const { items, bytes } of groups) {
    const range = { from: items[0]?.key ?? "", to: items.at(-1)?.key ?? "" };
    const slice = await largeAnswers.read(bytes, async () => JsonItems.of(await listReplies(storage.db, appId, range)));
    await storage.synced();
    yield slice;
  }
}
