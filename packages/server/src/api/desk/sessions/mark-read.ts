import { DESK_ENDPOINTS } from "@portico/protocol/endpoints";
import { markRead as mark } from "../../../domain/customer-service/mark-read.ts";
import type { ClientRoute } from "../../common/member-route.ts";
import { agentAt, notOwn, sessionAt } from "../desk-access.ts";
import type { DeskWorkParts } from "../parts.ts";

/** POST .../read: the session's agent has read up to this message; a mark never moves back. */
export const markRead: ClientRoute<typeof DESK_ENDPOINTS.markRead, DeskWorkParts> = {
  endpoint: DESK_ENDPOINTS.markRead,
  async handle(ctx, { member, params, body }) {
    const { appId } = await agentAt(ctx, ctx.storage.db, member, params.appId);
    const { visitorId, status, agentUserId } = await sessionAt(ctx.storage.db, appId, params.sessionId);
    if (agentUserId !== member.userId || status === "QUEUED") throw notOwn();
    return { readSeq: await mark(ctx, { appId, visitorId, by: "AGENT", seq: body.seq }) };
  },
};
