import type { Member } from "@portico/protocol";
import { DESK_ENDPOINTS } from "@portico/protocol/endpoints";
import { type SessionRow, listSessions as select } from "../../../domain/customer-service/session-store.ts";
import { InSlices } from "../../../platform/http/in-slices.ts";
import { JsonItems } from "../../../platform/http/json-items.ts";
import { SLICE_BYTES } from "../../../platform/http/large-answers.ts";
import { type ByteGroup, groupsByBytes } from "../../../platform/storage/groups-by-bytes.ts";
import type { ClientRoute } from "../../common/member-route.ts";
import { agentAt } from "../desk-access.ts";
import { measureDeskSessions, toDeskSessions } from "../desk-session-view.ts";
import type { DeskReadParts } from "../parts.ts";

const DEFAULT_LIMIT = 50;

/**
 * GET /api/desk/v1/apps/{appId}/sessions: the queue in order, the agent's own or all ACTIVE ones, or CLOSED ones,
 * newest first.
 */
export const listSessions: ClientRoute<typeof DESK_ENDPOINTS.listSessions, DeskReadParts> = {
  endpoint: DESK_ENDPOINTS.listSessions,
  async handle(ctx, { member, params, query, room }) {
    const { db } = ctx.storage;
    const { appId, agent } = await agentAt(ctx, db, member, params.appId);
    const { status, all = "false", before, limit = DEFAULT_LIMIT } = query;
    const rows = await select(db, appId, {
      status,
      limit,
      ...(before !== undefined && { before }),
      ...(status === "ACTIVE" && all === "false" && { agentUserId: agent.userId }),
    });
    const groups = groupsByBytes(rows, await measureDeskSessions(db, rows), SLICE_BYTES);
    const [only] = groups;
    if (only !== undefined) await room(groups.length > 1 ? SLICE_BYTES : only.bytes);
    return InSlices.of("items", slicesOf(ctx, member, groups), {}, groups.length <= 1);
  },
};

async function* slicesOf(
  { storage, largeAnswers, clock }: DeskReadParts,
  member: Pick<Member, "userId">,
  groups: readonly ByteGroup<SessionRow>[],
): AsyncGenerator<JsonItems> {
  for (const { items, bytes } of groups) {
    const slice = await largeAnswers.read(bytes, async () =>
      JsonItems.of(await toDeskSessions(storage.db, member, items, clock.now())),
    );
    await storage.synced();
    yield slice;
  }
}
