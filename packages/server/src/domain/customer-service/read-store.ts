import { prepared } from "../../platform/storage/prepared.ts";
import { preparedForKeys } from "../../platform/storage/prepared-for-keys.ts";
import type { Db } from "../../platform/storage/schema.ts";

/** A side of a visitor's conversation. */
export type Reader = "VISITOR" | "AGENT";

/** The `seq` up to which each side has read; 0 when nothing. */
export type ReadMarks = Record<Reader, number>;

const selectMarks = preparedForKeys<string>()((db, keys) =>
  db.selectFrom("customer_reads").selectAll().where("visitor_id", "in", keys),
);

/** The read marks by visitor; visitors without any marks are missing. */
export async function findReadMarks(db: Db, visitorIds: string[]): Promise<Map<string, ReadMarks>> {
  const marks = new Map<string, ReadMarks>();
  const rows = await selectMarks.rows(db, visitorIds, {});
  for (const { visitor_id: visitorId, reader, seq } of rows) {
    marks.set(visitorId, { VISITOR: 0, AGENT: 0, ...marks.get(visitorId), [reader]: seq });
  }
  return marks;
}

const raise = prepared<{ visitorId: string; reader: Reader; seq: number }>()((db, param) =>
  db
    .insertInto("customer_reads")
    .values({ visitor_id: param("visitorId"), reader: param("reader"), seq: param("seq") })
    .onConflict((conflict) =>
      conflict
        .columns(["visitor_id", "reader"])
        .doUpdateSet({ seq: (eb) => eb.ref("excluded.seq") })
        .where((eb) => eb("customer_reads.seq", "<", eb.ref("excluded.seq"))),
    ),
);

/** Raises a side's read mark to `seq`; false when it was there already. */
export async function raiseReadMark(tx: Db, visitorId: string, reader: Reader, seq: number): Promise<boolean> {
  return (await raise.affected(tx, { visitorId, reader, seq })) === 1;
}
