import type pg from "pg";
import { ConfigError } from "../../platform/config/config-error.ts";
import { MOVE_TABLE } from "../../platform/storage/migrate.ts";

/** How far a part of a move has come. It is written in the transaction that comes so far. */
export interface Place {
  /** The key of the last row that is there. */
  after: string[];
  rows: number;
  isDone: boolean;
}

/** Where a part of a move has come to; null before its first step. */
export async function placeOf(target: pg.Client, part: string): Promise<Place | null> {
  const { rows } = await target.query<{ value: string }>(`select value from ${MOVE_TABLE} where name = $1`, [part]);
  const [row] = rows;
  // Written by this file.
  return row === undefined ? null : (JSON.parse(row.value) as Place);
}

/**
 * Notes a step, in the transaction that made it.
 *
 * @throws ConfigError when it has come from elsewhere than `from`: another process moves the same store, from a copy of it.
 */
export async function advance(target: pg.Client, part: string, from: Place | null, to: Place): Promise<void> {
  const { rowCount } =
    from === null
      ? await target.query(`insert into ${MOVE_TABLE} (name, value) values ($1, $2) on conflict do nothing`, [
          part,
          JSON.stringify(to),
        ])
      : await target.query(`update ${MOVE_TABLE} set value = $2 where name = $1 and value = $3`, [
          part,
          JSON.stringify(to),
          JSON.stringify(from),
        ]);
  if (rowCount !== 1) throw new ConfigError("another process is moving a copy of this store to the same place");
}
