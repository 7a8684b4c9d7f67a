import { sql } from "kysely";
import type { RecordedCalls } from "../../platform/coordination/coordination.ts";
import { joint } from "../../platform/storage/joint.ts";
import { prepared } from "../../platform/storage/prepared.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { DayUse } from "./day-ledger.ts";

/*
 * On PostgreSQL a transaction notes the calls that it counts in rows of its own: on the row of an application's day, the
 * transactions of all its calls would wait for each other.
 */

/** So many rows are added up by one statement. */
const MOST_FOLDED = 2_000;

const insert = prepared<{ appIds: string[]; days: number[]; counters: string[]; calls: number[] }>()((db, param) => ({
  compile: () =>
    sql`
      insert into quota_uses (app_id, day, counter, calls)
      select * from unnest(${param("appIds")}::text[], ${param("days")}::integer[], ${param("counters")}::text[],
        ${param("calls")}::integer[])
    `.compile(db),
}));

/** Notes an admitted call, with those of other units in one row for each application. */
export const noteUse = joint<DayUse, void>({
  alone: async (tx, use) => {
    await insert.affected(tx, columnsOf([use]));
  },
  async joint(tx, all) {
    // Sent with the commit: a counter that was lost since may have been loaded again without these, so they ask once more.
    if (!all.every((use) => use.isKept())) throw new Error("the counter of a call may have been lost");
    await insert.affected(tx, columnsOf(all));
    return all.map(() => undefined);
  },
  isTold: true,
});

function columnsOf(all: readonly DayUse[]) {
  const groups = [...Map.groupBy(all, ({ appId, day, counter }) => `${appId} ${day} ${counter}`).values()];
  const uses = groups.flatMap(([use]) => use ?? []);
  return {
    appIds: uses.map(({ appId }) => appId),
    days: uses.map(({ day }) => day),
    counters: uses.map(({ counter }) => counter),
    calls: groups.map(({ length }) => length),
  };
}

interface FoldedRow {
  appId: string;
  day: number;
  /** Null in the row with `used`, what `quota_days` has since. */
  counter: string | null;
  calls: number | null;
  notes: number | null;
  lastId: number | null;
  used: number | null;
}

// What was counted and what was added come in rows of their own: writers would join them by comparing each with each.
const fold = prepared<{ above: number; limit: number }>()((db, param) => ({
  compile: () =>
    sql<FoldedRow>`
      with folded as (
        -- Locked in one order, so that of two processes one waits, and then finds the rest. An array, not a join: it is planned
        -- by the key also when the statistics are of a moment at which the table was empty.
        delete from quota_uses where use_id = any(array(
          select use_id from quota_uses where use_id > ${param("above")} order by use_id limit ${param("limit")} for update
        ))
        returning use_id, app_id, day, counter, calls
      ), counted as (
        select app_id, day, counter, sum(calls) as calls, count(*) as notes, max(use_id) as last_id
        from folded group by app_id, day, counter
      ), added as (
        insert into quota_days (app_id, day, used)
        select app_id, day, sum(calls) from counted group by app_id, day order by app_id, day
        on conflict (app_id, day) do update set used = quota_days.used + excluded.used
        returning app_id, day, used
      )
      select app_id as "appId", day, counter, calls::bigint, notes, last_id as "lastId", null::bigint as used from counted
      union all
      select app_id, day, null, null, null, null, used from added
    `.compile(db),
}));

/** Notes that were added up. */
interface Folded {
  /** Their calls, by the counter that counted them. */
  recorded: RecordedCalls[];
  /** The greatest id among them; 0 when there were none. */
  lastId: number;
  /** Whether there may be more. */
  isPart: boolean;
}

/**
 * Adds noted calls to `quota_days`, whichever process has noted them, by one statement.
 *
 * @param above only notes with a greater id: below it those that have gone would be passed by, too.
 */
export async function foldUses(db: Db, above: number): Promise<Folded> {
  const rows = await fold.rows(db, { above, limit: MOST_FOLDED });
  const usedOf = new Map(rows.flatMap(({ appId, day, used }) => (used === null ? [] : [[`${day}:${appId}`, used]])));
  const counted = rows.filter(({ counter }) => counter !== null);
  return {
    recorded: counted.map(({ appId, day, counter, calls }) => {
      const recorded = usedOf.get(`${day}:${appId}`) ?? 0;
      return { appId, day, counter: counter ?? "", calls: calls ?? 0, recorded };
    }),
    lastId: Math.max(0, ...counted.map(({ lastId }) => lastId ?? 0)),
    isPart: counted.reduce((sum, { notes }) => sum + (notes ?? 0), 0) >= MOST_FOLDED,
  };
}
