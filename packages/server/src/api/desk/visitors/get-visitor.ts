import { ApiError } from "@portico/protocol";
import { DESK_ENDPOINTS } from "@portico/protocol/endpoints";
import { listPastSessions } from "../../../domain/customer-service/session-history.ts";
import { findVisitor, toVisitor } from "../../../domain/customer-service/visitor-store.ts";
import type { ClientRoute } from "../../common/member-route.ts";
import { agentAt } from "../desk-access.ts";
import type { DeskReadParts } from "../parts.ts";

/** The sessions that are shown. */
const NEWEST = 20;

/** GET apps/{appId}/visitors/{visitorId}: the visitor with the integrator's own data, and their newest sessions. */
export const getVisitor: ClientRoute<typeof DESK_ENDPOINTS.getVisitor, DeskReadParts> = {
  endpoint: DESK_ENDPOINTS.getVisitor,
  async handle(ctx, { member, params, room }) {
    const { db } = ctx.storage;
    const { appId } = await agentAt(ctx, db, member, params.appId);
    const visitor = await findVisitor(db, appId, params.visitorId);
    if (visitor === null) throw new ApiError("VISITOR_NOT_FOUND");
    const sessions = await listPastSessions(db, visitor.visitorId, NEWEST);
    const texts = sessions.flatMap(({ subject, closeReason, ratingComment }) => [subject, closeReason, ratingComment]);
    await room(texts.reduce((bytes, text) => bytes + Buffer.byteLength(text ?? ""), visitor.extra?.length ?? 0));
    return { ...toVisitor(visitor, ctx.clock.now()), sessions };
  },
};
