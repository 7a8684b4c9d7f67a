import type { DeskSearch, FoundMessage, Member } from "@portico/protocol";
import { DESK_ENDPOINTS } from "@portico/protocol/endpoints";
import { findMessageIds } from "../../../domain/customer-service/message-search.ts";
import { listMessagesById, measureMessagesById } from "../../../domain/customer-service/message-store.ts";
import { listVisitors } from "../../../domain/customer-service/visitor-lists.ts";
import { findVisitors, toVisitor, type VisitorRow } from "../../../domain/customer-service/visitor-store.ts";
import { SLICE_BYTES } from "../../../platform/http/large-answers.ts";
import { groupsByBytes } from "../../../platform/storage/groups-by-bytes.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import type { ClientRoute } from "../../common/member-route.ts";
import { agentAt } from "../desk-access.ts";
import { toDeskMessage } from "../desk-message.ts";
import type { DeskReadParts } from "../parts.ts";

const DEFAULT_LIMIT = 20;
/** The most of a visitor without `extra`, which only a look at the visitor shows. */
const VISITOR_BYTES = 3_072;

/** GET apps/{appId}/search: visitors and messages that contain a text, newest first. */
export const search: ClientRoute<typeof DESK_ENDPOINTS.search, DeskReadParts> = {
  endpoint: DESK_ENDPOINTS.search,
  async handle(ctx, { member, params, query, room }): Promise<DeskSearch> {
    const { storage, clock, largeAnswers } = ctx;
    const { lists, dialect } = storage;
    const { appId } = await agentAt(ctx, storage.db, member, params.appId);
    const { q: keyword, before, limit = DEFAULT_LIMIT } = query;
    // Before the search, so that one agent has only so many under way.
    await room(SLICE_BYTES + limit * VISITOR_BYTES);
    const page = { keyword, page: 1, pageSize: limit };
    const visitors = before === undefined ? (await listVisitors(lists, dialect, appId, page)).rows : [];
    const wanted = { appId, keyword, before: before ?? Number.MAX_SAFE_INTEGER, limit };
    const { ids, nextBefore } = await findMessageIds(lists, dialect, wanted);
    const lengths = await measureMessagesById(lists, ids);
    const [first] = groupsByBytes(ids, (id) => (lengths.get(id) ?? 0) + VISITOR_BYTES, SLICE_BYTES);
    const shown = first?.items ?? [];
    const bytes = visitors.length * VISITOR_BYTES + (first?.bytes ?? 0);
    return await largeAnswers.read(bytes, async () => {
      const now = clock.now();
      const messages = await readFound(lists, member, shown, now);
      return {
        visitors: visitors.map((row) => withoutExtra(row, now)),
        messages,
        // What did not fit comes with the next page.
        nextBefore: shown.length < ids.length ? (shown.at(-1) ?? null) : nextBefore,
      };
    });
  },
};

async function readFound(db: Db, member: Member, ids: readonly number[], now: number): Promise<FoundMessage[]> {
  const rows = await listMessagesById(db, ids);
  const visitors = await findVisitors(db, [...new Set(Array.from(rows.values(), ({ visitorId }) => visitorId))]);
  return ids.flatMap((id) => {
    const row = rows.get(id);
    const visitor = row && visitors.get(row.visitorId);
    return row === undefined || visitor === undefined
      ? []
      : [{ message: toDeskMessage(row, member), visitor: withoutExtra(visitor, now) }];
  });
}

function withoutExtra(row: VisitorRow, now: number) {
  const { extra: _, ...visitor } = toVisitor(row, now);
  return visitor;
}
