import type { AppState, AppType, ReviewState } from "@portico/protocol";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Db, Dialect } from "../../platform/storage/schema.ts";
import { isAmong, select } from "../../platform/storage/search/search.ts";
import { rangeOf } from "../directory/page-request.ts";
import { appColumns, ownerColumns, reviewColumns, selectAppRows } from "./app-views.ts";

/** Which applications to list. */
export interface AppFilter {
  /** Only those of the tenants that this developer belongs to. */
  developerId?: string;
  tenantId?: string;
  status?: AppState;
  type?: AppType;
  /** Part of the name or of the appId. */
  keyword?: string;
}

/** One page of a list; `page` starts at 1. */
interface Page {
  page: number;
  pageSize: number;
}

/**
 * A page of applications, newest first, and the total. The ids of the page are selected before any other column is
 * read, because there may be very many applications.
 */
export async function listApps(db: Db, dialect: Dialect, filter: AppFilter, page: Page) {
  const { keyword = "" } = filter;
  const { where, total } = await select(db, dialect, "apps", { keyword, conditions: conditionsOf(dialect, filter) });
  const { limit, offset } = rangeOf(page, total);
  const listed = db
    .selectFrom("apps")
    .select("apps.app_id")
    .where(where)
    .orderBy("apps.created_at", "desc")
    .orderBy("apps.app_id")
    .limit(limit)
    .offset(offset);
  const rows = await selectAppRows(db)
    .where("apps.app_id", "in", listed)
    .orderBy("apps.created_at", "desc")
    .orderBy("apps.app_id")
    .execute();
  return { rows, total };
}

function conditionsOf(dialect: Dialect, { developerId, tenantId, status, type }: AppFilter): RawBuilder<SqlBool>[] {
  const conditions: RawBuilder<SqlBool>[] = [];
  if (developerId !== undefined) {
    const own = sql`select tenant_id from developer_tenants where developer_id = ${developerId}`;
    conditions.push(isAmong(dialect, "apps.tenant_id", own));
  }
  if (tenantId !== undefined) conditions.push(sql`apps.tenant_id = ${tenantId}`);
  if (status !== undefined) conditions.push(sql`apps.status = ${status}`);
  if (type !== undefined) conditions.push(sql`apps.type = ${type}`);
  return conditions;
}

/** The application with its owner and its newest review; null when there is none. */
export async function findAppRow(db: Db, appId: string) {
  return (await selectAppRows(db).where("apps.app_id", "=", appId).executeTakeFirst()) ?? null;
}

/** A page of the reviews in a state, and the total: waiting ones oldest first, all others newest first. */
export async function listReviews(db: Db, state: ReviewState, { page, pageSize }: Page) {
  const ofState = db.selectFrom("app_reviews").where("app_reviews.state", "=", state);
  const { total } = await ofState.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const rows = await ofState
    .innerJoin("apps", "apps.app_id", "app_reviews.app_id")
    .leftJoin("developers", "developers.developer_id", "apps.owner_id")
    .select([...appColumns, ...ownerColumns, ...reviewColumns, "app_reviews.reviewed_by as reviewedBy"])
    .orderBy("app_reviews.review_id", state === "PENDING" ? "asc" : "desc")
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();
  return { rows, total };
}
