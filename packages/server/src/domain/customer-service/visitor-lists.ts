import { type SqlBool, sql } from "kysely";
import type { Db, Dialect } from "../../platform/storage/schema.ts";
import { select } from "../../platform/storage/search/search.ts";
import { type PageRequest, rangeOf } from "../directory/page-request.ts";
import { type VisitorRow, visitorColumns } from "./visitor-store.ts";

/**
 * A page of an application's visitors, newest first, and the total. The ids of the page are selected before any other column is
 * read: an index has them in this order, and a late page would otherwise sort all visitors.
 */
export async function listVisitors(
  db: Db,
  dialect: Dialect,
  appId: string,
  { keyword, status, ...page }: PageRequest & { status?: number },
): Promise<{ rows: VisitorRow[]; total: number }> {
  const conditions = status === undefined ? [] : [sql<SqlBool>`visitors.status = ${sql.lit(status)}`];
  const { where, total } = await select(db, dialect, "visitors", { scope: appId, keyword, conditions });
  const { limit, offset } = rangeOf(page, total);
  const listed = db
    .selectFrom("visitors")
    .select("visitors.visitor_id")
    .where(where)
    .orderBy("visitors.created_at", "desc")
    .orderBy("visitors.visitor_id", "desc")
    .limit(limit)
    .offset(offset);
  const rows = await db
    .selectFrom("visitors")
    .select(visitorColumns)
    .where("visitors.visitor_id", "in", listed)
    .orderBy("created_at", "desc")
    .orderBy("visitor_id", "desc")
    .execute();
  return { rows, total };
}
