import { isMemberOf } from "../../../domain/directory/member-store.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import { ConsoleError } from "../../common/console/console-error.ts";

/** @throws ConsoleError MEMBER_NOT_FOUND when the tenant has no such member, erased or not. */
export async function checkMember(db: Db, { tenantId, userId }: { tenantId: string; userId: string }): Promise<void> {
  if (!(await isMemberOf(db, tenantId, userId))) throw new ConsoleError("MEMBER_NOT_FOUND");
}
