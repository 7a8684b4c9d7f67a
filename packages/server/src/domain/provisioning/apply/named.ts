import type { Db } from "../../../platform/storage/schema.ts";
import { findUserIds } from "../../directory/member-store.ts";
import { ProvisioningError } from "../provisioning-error.ts";

const AT_ONCE = 1_000;

/** Where an entry names its tenant: in its member, or, when it leaves that out, nowhere but in itself. */
export function pathOfTenant(path: string, entry: { tenant?: string | undefined }): string {
  return entry.tenant === undefined ? path : `${path}.tenant`;
}

/**
 * The userIds of a tenant's members, named by username or userId, in their order.
 *
 * @param pathOf where the n-th is named.
 * @throws ProvisioningError for the first that is nobody's.
 */
export async function membersOf(
  tx: Db,
  tenantId: string,
  accounts: readonly string[],
  pathOf: (index: number) => string,
): Promise<string[]> {
  const userIds: string[] = [];
  for (let from = 0; from < accounts.length; from += AT_ONCE) {
    const some = accounts.slice(from, from + AT_ONCE);
    const known = await findUserIds(tx, tenantId, some);
    for (const [index, account] of some.entries()) {
      const userId = known.get(account);
      if (userId === undefined) {
        throw new ProvisioningError(pathOf(from + index), `names an unknown member ${account} of ${tenantId}`);
      }
      userIds.push(userId);
    }
  }
  return userIds;
}
