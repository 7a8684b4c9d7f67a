import { sql } from "kysely";
import type { RecordedCalls } from "../../platform/coordination/coordination.ts";
import { joint } from "../../platform/storage/joint.ts";
import { prepared } from "../../platform/storage/prepared.ts";
import type { DayUse } from "./day-ledger.ts";

/*
 * On PostgreSQL a transaction notes the calls that it counts in rows of its own: on the row of an application's day, the
 * transactions of all its calls would wait for each other.
 */

/** So many rows are added up by one statement. */
const MOST_FOLDED = 10_000;

const insert = prepared<{ appIds: string[]; days: number[]; counters: string[]; calls: number[] }>()((db, param) => ({
  compile: () =>
    sql`
      insert into quota_uses (app_id, day, counter, calls)
      select * from unnest(${param("appIds")}::text[], ${param("days")}::integer[], ${param("counters")}::text[],
        ${param("calls")}::integer[])
    `.compile(db),
}));

/** Notes an admitted call, with those of other units in one row for each application. */
export const noteUse = joint<DayUse & Record<string, unknown>, void>({
  alone: async (tx, use) => {
    await insert.affected(tx, columnsOf([use]));
  },
  async joint(tx, all) {
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

const fold = prepared<{ limit: number }>()((db, param) => ({
  compile: () =>
    sql<RecordedCalls>`
      with folded as (
        -- In one order, so that of two processes one waits, and then finds the rest.
        delete from quota_uses
        where use_id in (select use_id from quota_uses order by use_id limit ${param("limit")} for update)
        returning app_id, day, counter, calls
      ), added as (
        insert into quota_days (app_id, day, used)
        select app_id, day, sum(calls) from folded group by app_id, day order by app_id, day
        on conflict (app_id, day) do update set used = quota_days.used + excluded.used
        returning app_id, day, used
      )
      select app_id as "appId", day, counter, sum(calls) as calls, used as recorded
      from folded join added using (app_id, day) group by app_id, day, counter, used
    `.compile(db),
}));

/**
 * Adds noted calls to `quota_days`, whichever process has noted them, as the statement of a unit.
 *
 * @returns what was added, by counter; nothing when nothing was noted.
 */
export async function foldUses(db: Parameters<typeof fold.rows>[0]): Promise<RecordedCalls[]> {
  return await fold.rows(db, { limit: MOST_FOLDED });
}
