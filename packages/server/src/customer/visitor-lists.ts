import { oneContains, type PageRequest } from "../directory/page-request.ts";
import type { Db, Dialect } from "../storage/schema.ts";
import { type VisitorRow, visitorColumns } from "./visitor-store.ts";

/** Where a keyword is looked for. */
const SEARCHED = ["visitor_id", "third_user_id", "nickname", "phone", "email"].map((name) => `visitors.${name}`);

/** A page of an application's visitors, newest first, and how many there are on all pages. */
export async function listVisitors(
  db: Db,
  dialect: Dialect,
  appId: string,
  { keyword, status, page, pageSize }: PageRequest & { status?: number },
): Promise<{ rows: VisitorRow[]; total: number }> {
  let selected = db.selectFrom("visitors").where("app_id", "=", appId);
  if (status !== undefined) selected = selected.where("status", "=", status);
  if (keyword !== "") selected = selected.where(oneContains(dialect, SEARCHED, keyword));
  const { total } = await selected.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const rows = await selected
    .select(visitorColumns)
    .orderBy("created_at", "desc")
    .orderBy("visitor_id", "desc")
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();
  return { rows, total: Number(total) };
}
