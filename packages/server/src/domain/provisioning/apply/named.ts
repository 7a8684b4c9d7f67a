import { findUserIds } from "../../directory/member-store.ts";
import { erasedAmong } from "../../persons/erasure-store.ts";
import { ProvisioningError } from "../provisioning-error.ts";
import type { Run } from "./run.ts";

const AT_ONCE = 1_000;

/** The path of an entry's tenant: its `tenant` field, or the entry itself when that is absent. */
export function pathOfTenant(path: string, entry: { tenant?: string | undefined }): string {
  return entry.tenant === undefined ? path : `${path}.tenant`;
}

/**
 * The userIds of a tenant's members, given by username or userId, in the same order; null for one who has been erased.
 *
 * @param pathOf the path of the n-th one in the file.
 * @throws ProvisioningError for the first one that does not exist.
 */
export async function membersOf(
  run: Pick<Run, "tx" | "isErased">,
  tenantId: string,
  accounts: readonly string[],
  pathOf: (index: number) => string,
): Promise<(string | null)[]> {
  const userIds: (string | null)[] = [];
  for (let from = 0; from < accounts.length; from += AT_ONCE) {
    const some = accounts.slice(from, from + AT_ONCE);
    const known = await findUserIds(run.tx, tenantId, some);
    const erased = await erasedAmong(run.tx, [...new Set(known.values())]);
    for (const [index, account] of some.entries()) {
      const userId = known.get(account) ?? null;
      // Whoever has the name of an erased member now is somebody else than the file means.
      const isErased = run.isErased(tenantId, account) || (userId !== null && erased.has(userId));
      if (userId === null && !isErased) {
        throw new ProvisioningError(pathOf(from + index), `names an unknown member ${account} of ${tenantId}`);
      }
      userIds.push(isErased ? null : userId);
    }
  }
  return userIds;
}
