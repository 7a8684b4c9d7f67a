import { sql } from "kysely";
import { isGone } from "../../domain/directory/member-store.ts";
import { inLowerCase } from "../../platform/storage/lower-case.ts";
import type { ReadOnlyStorage } from "../../platform/storage/open-read-only.ts";
import type { Findings } from "./findings.ts";

const AT_ONCE = 500;

interface Named {
  userId: string;
  tenantId: string;
  username: string;
  /** Null when nobody else is called so. */
  other: string | null;
}

/**
 * User names differ without regard to case. Stores from before that was so may have others; they work, and each such member is
 * found by the exact name.
 */
export async function checkNames({ db, dialect }: ReadOnlyStorage, findings: Findings): Promise<void> {
  const name = (table: string) => inLowerCase(dialect, `${table}.username`);
  for (let after = ""; ; ) {
    const { rows } = await sql<Named>`
      select one.user_id as "userId", one.tenant_id as "tenantId", one.username, other.username as other
      from (
        select user_id, tenant_id, username from members where user_id > ${after} order by user_id
        limit ${sql.lit(AT_ONCE)}
      ) as one
      left join members as other
        on other.tenant_id = one.tenant_id and ${name("other")} = ${name("one")} and other.user_id < one.user_id
      order by one.user_id`.execute(db);
    for (const { other, ...member } of rows) {
      if (other === null || isGone(member)) continue;
      const { userId, tenantId, username } = member;
      const problem = `the user name ${username} differs from ${other} of ${tenantId} in its case alone: rename one of them`;
      findings.add("member", userId, problem);
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < AT_ONCE) return;
    after = last.userId;
  }
}
