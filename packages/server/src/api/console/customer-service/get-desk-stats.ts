import { type DeskStats, fault } from "@portico/protocol";
import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { listDeskAgents, toAgentState } from "../../../domain/customer-service/agent-store.ts";
import {
  countClosed,
  countOpened,
  SessionFigures,
  type TimeRange,
} from "../../../domain/customer-service/session-figures.ts";
import { listSessions } from "../../../domain/customer-service/session-store.ts";
import { countQueued } from "../../../domain/customer-service/session-view.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { KeyedQueue } from "../../common/console/keyed-queue.ts";
import type { RouteParts } from "../../common/parts.ts";
import { checkCustomerApp } from "./customer-app.ts";

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 7;
const MAX_DAYS = 31;

/** Queued, because a call reads all sessions of its range, and there may be many. */
const queue = new KeyedQueue({ maxWaiting: 10 });

/** GET apps/{appId}/desk-stats: who is at the desk, who waits, and what became of the sessions closed in a range. */
export const getDeskStats: ConsoleRoute<typeof CONSOLE_ENDPOINTS.getDeskStats> = {
  endpoint: CONSOLE_ENDPOINTS.getDeskStats,
  async handle(ctx, { app, developer, query }) {
    checkCustomerApp(app, "agents");
    const { to = ctx.clock.now() } = query;
    const { from = Math.max(0, to - DEFAULT_DAYS * DAY_MS) } = query;
    if (from > to) throw new ConsoleError("RANGE_REVERSED");
    if (to - from > MAX_DAYS * DAY_MS) throw new ConsoleError(fault("DESK_STATS_RANGE_TOO_LONG", { max: MAX_DAYS }));
    return await queue.run(ctx, developer, () => deskStats(ctx, app.appId, { from, until: to }));
  },
};

async function deskStats({ storage, clock }: RouteParts, appId: string, range: TimeRange): Promise<DeskStats> {
  const { lists } = storage;
  const { all, byAgent } = await countClosed(lists, appId, range);
  const [first] = await listSessions(lists, appId, { status: "QUEUED", limit: 1 });
  const agents = await listDeskAgents(lists, appId);
  const now = clock.now();
  const [one, two, three, four, five] = all.ratings;
  return {
    from: range.from,
    to: range.until,
    agents: agents.map((agent) => {
      const { maxSessions, activeSessions, userId } = agent;
      const figures = byAgent.get(userId) ?? new SessionFigures();
      return {
        ...toAgentState(agent, now),
        maxSessions,
        activeSessions,
        handled: figures.closed,
        firstReplySeconds: figures.firstReply.percentiles(),
        handlingSeconds: figures.handling.percentiles(),
        rating: figures.rating(),
      };
    }),
    queue: { waiting: await countQueued(lists, appId), oldestWaitingSince: first?.queuedAt ?? null },
    opened: await countOpened(lists, appId, range),
    closed: all.closed,
    waitingSeconds: all.waiting.percentiles(),
    firstReplySeconds: all.firstReply.percentiles(),
    handlingSeconds: all.handling.percentiles(),
    ratings: { 1: one, 2: two, 3: three, 4: four, 5: five },
  };
}
