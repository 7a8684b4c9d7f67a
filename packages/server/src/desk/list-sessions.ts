import { DeskSessionListSchema, DeskSessionsQuerySchema } from "@portico/protocol/schemas";
import { listSessions as select } from "../customer/session-store.ts";
import type { ClientRoute } from "../messenger/client-route.ts";
import { agentAt } from "./desk-access.ts";
import { toDeskSessions } from "./desk-session-view.ts";

const DEFAULT_LIMIT = 50;

/**
 * GET /api/desk/v1/apps/{appId}/sessions: the queue in its order, the agent's own or all ACTIVE ones, or CLOSED ones, the
 * newest first (design, section 8).
 */
export const listSessions: ClientRoute<never, typeof DeskSessionsQuerySchema, typeof DeskSessionListSchema> = {
  method: "GET",
  url: "/api/desk/v1/apps/:appId/sessions",
  summary: "List an application's sessions",
  query: DeskSessionsQuerySchema,
  value: DeskSessionListSchema,
  async handle(ctx, { member, params, query }) {
    const { db } = ctx.storage;
    const { appId, agent } = await agentAt(ctx, db, member, params.appId);
    const { status, all = "false", before, limit = DEFAULT_LIMIT } = query;
    const rows = await select(db, appId, {
      status,
      limit,
      ...(before !== undefined && { before }),
      ...(status === "ACTIVE" && all === "false" && { agentUserId: agent.userId }),
    });
    return { items: await toDeskSessions(db, member, rows, ctx.clock.now()) };
  },
};
