import { type SqlBool, sql } from "kysely";
import type { Db, Dialect } from "../../platform/storage/schema.ts";
import { select } from "../../platform/storage/search/search.ts";
import { type PageRequest, rangeOf } from "../directory/page-request.ts";
import { type VisitorRow, visitorColumns } from "./visitor-store.ts";

/** A page of an application's visitors, newest first, and the total. */
export async function listVisitors(
  db: Db,
  dialect: Dialect,
  appId: string,
  { keyword, status, ...page }: PageRequest & { status?: number },
): Promise<{ rows: VisitorRow[]; total: number }> {
  const conditions = status === undefined ? [] : [sql<SqlBool>`visitors.status = ${sql.lit(status)}`];
  const { where, total } = await select(db, dialect, "visitors", { scope: appId, keyword, conditions });
  const { limit, offset } = rangeOf(page, total);
  const rows = await db
    .selectFrom("visitors")
    .select(visitorColumns)
    .where(where)
    .orderBy("created_at", "desc")
    .orderBy("visitor_id", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
  return { rows, total };
}
