import { BOUNDS, fault, type GroupDetail } from "@portico/protocol";
import type { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import {
  addGroupMembers,
  listUserIdsOf,
  lockGroup,
  removeGroupMembers,
} from "../../../domain/directory/group-store.ts";
import { findUserIds } from "../../../domain/directory/user-names.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleCall } from "../../common/console/console-route.ts";
import type { LiveParts } from "../../common/parts.ts";
import { getGroupDetail, noSuchGroup } from "./group-detail.ts";

/**
 * The userIds of the tenant's members with these accounts (usernames or userIds).
 *
 * @throws ApiError 400 naming one that does not exist in the tenant.
 */
export async function resolveMembers(db: Db, tenantId: string, accounts: readonly string[]): Promise<Set<string>> {
  const known = await findUserIds(db, tenantId, accounts);
  return new Set(
    accounts.map((account) => {
      const userId = known.get(account);
      if (userId === undefined) throw new ConsoleError(fault("GROUP_ACCOUNT_UNKNOWN", { account }));
      return userId;
    }),
  );
}

/**
 * Replaces the members of a group by the result of `choose`, which gets the current ones. Changes of a group's members
 * run one after another, and members' streams are notified.
 *
 * @throws ConsoleError 404 when the tenant has no such group; ApiError 400 when there would be too many members.
 */
export async function changeGroupMembers(
  ctx: LiveParts,
  {
    audit,
    params,
    tenantId,
  }: Pick<ConsoleCall<typeof OPERATOR_ENDPOINTS.addGroupMembers>, "audit" | "params" | "tenantId">,
  choose: (tx: Db, present: ReadonlySet<string>) => Promise<ReadonlySet<string>>,
): Promise<GroupDetail> {
  const { groupId } = params;
  const { added, removed } = await ctx.storage.write(async (tx) => {
    if ((await lockGroup(tx, tenantId, groupId)) === null) throw noSuchGroup();
    const present = new Set(await listUserIdsOf(tx, groupId));
    const chosen = await choose(tx, present);
    const added = [...chosen].filter((userId) => !present.has(userId));
    const removed = [...present].filter((userId) => !chosen.has(userId));
    if (added.length > 0 && chosen.size > BOUNDS.groupMembers) {
      throw new ConsoleError(fault("GROUP_MEMBERS_TOO_MANY", { max: BOUNDS.groupMembers }));
    }
    if (added.length === 0 && removed.length === 0) return { added, removed };
    await removeGroupMembers(tx, groupId, removed);
    await addGroupMembers(tx, groupId, added);
    await audit(tx, {
      action: "group.members",
      target: `group:${groupId}`,
      tenantId,
      before: { memberCount: present.size, removed },
      after: { memberCount: chosen.size, added },
    });
    return { added, removed };
  });
  for (const userId of [...added, ...removed]) ctx.live.conversationsChanged(userId);
  return await getGroupDetail(ctx.storage.db, tenantId, groupId);
}
