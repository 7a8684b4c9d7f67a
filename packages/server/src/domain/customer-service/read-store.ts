import { prepared } from "../../platform/storage/prepared.ts";
import type { Db } from "../../platform/storage/schema.ts";

/** A side of a visitor's conversation. */
export type Reader = "VISITOR" | "AGENT";

/** Up to which `seq` each side has read; 0 where it has read nothing. */
export type ReadMarks = Record<Reader, number>;

/** How far the messages of visitors have been read, by visitor; those whose messages nobody has read are not in it. */
export async function findReadMarks(db: Db, visitorIds: string[]): Promise<Map<string, ReadMarks>> {
  const marks = new Map<string, ReadMarks>();
  if (visitorIds.length === 0) return marks;
  const rows = await db.selectFrom("customer_reads").selectAll().where("visitor_id", "in", visitorIds).execute();
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

/** Notes that a side has read up to `seq`; false when it had read that far before. */
export async function raiseReadMark(tx: Db, visitorId: string, reader: Reader, seq: number): Promise<boolean> {
  return (await raise.affected(tx, { visitorId, reader, seq })) === 1;
}
