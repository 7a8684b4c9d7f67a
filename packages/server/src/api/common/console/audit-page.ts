import type { AuditQuery } from "@portico/protocol";
import { type AuditPage, listAuditEntries } from "../../../domain/audit/audit-queries.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import { ConsoleError } from "./console-error.ts";

/**
 * The page of the audit log for a query.
 *
 * @throws ApiError 400 when `before` is not a previous page's `nextBefore`.
 */
export async function listAuditPage(db: Db, { before, limit = 50, ...filter }: AuditQuery): Promise<AuditPage> {
  const page = await listAuditEntries(db, filter, { before, limit });
  if (page === null) throw new ConsoleError("AUDIT_CURSOR_INVALID");
  return page;
}
