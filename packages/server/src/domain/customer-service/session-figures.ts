import { sql } from "kysely";
import { prepared } from "../../platform/storage/prepared.ts";
import type { Db } from "../../platform/storage/schema.ts";
import { Durations } from "./durations.ts";

/** Sessions that are read at a time. */
const SLICE = 2_000;

/** A range of time in epoch milliseconds, its end excluded. */
export interface TimeRange {
  from: number;
  until: number;
}

/** What is counted of the sessions closed in a range, of all or of one agent. */
export class SessionFigures {
  closed = 0;
  readonly waiting = new Durations();
  readonly firstReply = new Durations();
  readonly handling = new Durations();
  /** How many ratings of each number of stars, from 1. */
  readonly ratings: [number, number, number, number, number] = [0, 0, 0, 0, 0];

  add({ createdAt, firstAssignedAt, waitedMs, firstReplyAt, closedAt, rating }: ClosedSession): void {
    this.closed++;
    if (firstAssignedAt !== null) {
      this.waiting.add(waitedMs ?? firstAssignedAt - createdAt);
      this.handling.add((closedAt ?? firstAssignedAt) - firstAssignedAt);
    }
    if (firstReplyAt !== null) this.firstReply.add(firstReplyAt - createdAt);
    const stars = rating === null ? undefined : this.ratings[rating - 1];
    if (rating !== null && stars !== undefined) this.ratings[rating - 1] = stars + 1;
  }

  /** The number of ratings and their mean, to two decimals; null without any. */
  rating(): { average: number | null; count: number } {
    const count = this.ratings.reduce((sum, each) => sum + each, 0);
    const stars = this.ratings.reduce((sum, each, index) => sum + each * (index + 1), 0);
    return { average: count === 0 ? null : Math.round((stars / count) * 100) / 100, count };
  }
}

interface ClosedSession {
  sessionId: number;
  agentUserId: string | null;
  createdAt: number;
  firstAssignedAt: number | null;
  /** In all; null for what an earlier version assigned. */
  waitedMs: number | null;
  firstReplyAt: number | null;
  closedAt: number | null;
  rating: number | null;
}

const selectClosed = prepared<{ appId: string; closedAt: number; sessionId: number; until: number }>()((db, param) =>
  db
    .selectFrom("customer_sessions")
    .select(({ fn }) => [
      "session_id as sessionId",
      "agent_user_id as agentUserId",
      "created_at as createdAt",
      // An earlier version of the service wrote the last assignment only.
      fn.coalesce("first_assigned_at", "assigned_at").as("firstAssignedAt"),
      "waited_ms as waitedMs",
      "first_reply_at as firstReplyAt",
      "closed_at as closedAt",
      "rating",
    ])
    .where("app_id", "=", param("appId"))
    .where("status", "=", sql.lit("CLOSED"))
    .where(sql<boolean>`(closed_at, session_id) > (${param("closedAt")}, ${param("sessionId")})`)
    .where("closed_at", "<", param("until"))
    .orderBy("closed_at")
    .orderBy("session_id")
    .limit(sql.lit(SLICE)),
);

/**
 * Counts the sessions that were closed in the range, in slices of an index. To be read through `storage.lists`.
 *
 * @returns the figures of all of them, and of each agent by userId: of the agent who had the session in the end.
 */
export async function countClosed(
  db: Db,
  appId: string,
  { from, until }: TimeRange,
): Promise<{ all: SessionFigures; byAgent: Map<string, SessionFigures> }> {
  const all = new SessionFigures();
  const byAgent = new Map<string, SessionFigures>();
  let after = { closedAt: from, sessionId: 0 };
  for (;;) {
    const slice = await selectClosed.rows(db, { appId, until, ...after });
    for (const session of slice) {
      all.add(session);
      if (session.agentUserId !== null) figuresOf(byAgent, session.agentUserId).add(session);
    }
    const last = slice.at(-1);
    if (last === undefined || slice.length < SLICE) return { all, byAgent };
    after = { closedAt: last.closedAt ?? until, sessionId: last.sessionId };
  }
}

function figuresOf(byAgent: Map<string, SessionFigures>, userId: string): SessionFigures {
  const known = byAgent.get(userId) ?? new SessionFigures();
  byAgent.set(userId, known);
  return known;
}

/** How many sessions were opened in the range. */
export async function countOpened(db: Db, appId: string, { from, until }: TimeRange): Promise<number> {
  const { opened } = await db
    .selectFrom("customer_sessions")
    .select((eb) => eb.fn.countAll<number>().as("opened"))
    .where("app_id", "=", appId)
    .where("created_at", ">=", from)
    .where("created_at", "<", until)
    .executeTakeFirstOrThrow();
  return Number(opened);
}
