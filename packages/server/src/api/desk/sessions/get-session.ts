import { DESK_ENDPOINTS } from "@portico/protocol/endpoints";
import type { ClientRoute } from "../../common/member-route.ts";
import { agentAt, sessionAt } from "../desk-access.ts";
import { measureDeskSessions, toDeskSession } from "../desk-session-view.ts";
import type { DeskReadParts } from "../parts.ts";

/** GET .../sessions/{sessionId}, of any agent of the application. */
export const getSession: ClientRoute<typeof DESK_ENDPOINTS.getSession, DeskReadParts> = {
  endpoint: DESK_ENDPOINTS.getSession,
  async handle(ctx, { member, params, room }) {
    const { db } = ctx.storage;
    const { appId } = await agentAt(ctx, db, member, params.appId);
    const session = await sessionAt(db, appId, params.sessionId);
    const bytes = (await measureDeskSessions(db, [session]))(session);
    await room(bytes);
    return await ctx.largeAnswers.read(bytes, () => toDeskSession(db, member, session, ctx.clock.now()));
  },
};
