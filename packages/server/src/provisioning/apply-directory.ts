import { randomBytes } from "node:crypto";
import type { Db } from "../storage/schema.ts";
import { ProvisioningError } from "./provisioning-error.ts";
import type { ProvisioningFile } from "./schema.ts";

type Entry<Kind extends keyof ProvisioningFile> = NonNullable<ProvisioningFile[Kind]>[number];

const DEFAULT_CHANNEL = 1;

export async function provisionTenant(tx: Db, tenant: Entry<"tenants">): Promise<void> {
  await tx
    .insertInto("tenants")
    .values({ tenant_id: tenant.id, name: tenant.name ?? tenant.id })
    .onConflict((conflict) =>
      tenant.name === undefined
        ? conflict.column("tenant_id").doNothing()
        : conflict.column("tenant_id").doUpdateSet({ name: tenant.name }),
    )
    .execute();
}

/** Where an entry names its tenant: in its member, or, when it leaves that out, nowhere but in itself. */
export function pathOfTenant(path: string, entry: { tenant?: string }): string {
  return entry.tenant === undefined ? path : `${path}.tenant`;
}

/** The tenant an entry names, or the file's first when it names none. */
export async function tenantOf(
  tx: Db,
  file: ProvisioningFile,
  named: string | undefined,
  path: string,
): Promise<string> {
  const tenantId = named ?? file.tenants?.[0]?.id;
  if (tenantId === undefined)
    throw new ProvisioningError(path, "names no tenant, and the file lists none to default to");
  const row = await tx.selectFrom("tenants").select("tenant_id").where("tenant_id", "=", tenantId).executeTakeFirst();
  if (row === undefined) throw new ProvisioningError(path, `names an unknown tenant ${tenantId}`);
  return tenantId;
}

export async function provisionMember(
  tx: Db,
  file: ProvisioningFile,
  index: number,
  passwordHash: string | undefined,
): Promise<void> {
  const path = `members[${index}]`;
  const member = file.members?.[index];
  if (member === undefined) return;
  const tenantId = await tenantOf(tx, file, member.tenant, pathOfTenant(path, member));
  const username = member.username ?? member.userId;
  const holder = await tx
    .selectFrom("members")
    .select("user_id")
    .where("tenant_id", "=", tenantId)
    .where("username", "=", username)
    .executeTakeFirst();
  if (holder && holder.user_id !== member.userId) {
    throw new ProvisioningError(`${path}.username`, `is taken: ${username} is ${holder.user_id}`);
  }
  const said = {
    tenant_id: tenantId,
    username,
    ...(member.name !== undefined && { name: member.name }),
    ...(member.phone !== undefined && { phone: member.phone }),
    ...(passwordHash !== undefined && { password_hash: passwordHash }),
  };
  await tx
    .insertInto("members")
    .values({ user_id: member.userId, name: username, ...said })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(said))
    .execute();
}

export async function provisionGroup(tx: Db, file: ProvisioningFile, index: number): Promise<void> {
  const path = `groups[${index}]`;
  const group = file.groups?.[index];
  if (group === undefined) return;
  const tenantId = await tenantOf(tx, file, group.tenant, pathOfTenant(path, group));
  const said = { tenant_id: tenantId, ...(group.name !== undefined && { name: group.name }) };
  await tx
    .insertInto("groups")
    .values({ group_id: group.id, name: group.id, ...said })
    .onConflict((conflict) => conflict.column("group_id").doUpdateSet(said))
    .execute();
  if (group.members === undefined) return;
  await tx.deleteFrom("group_members").where("group_id", "=", group.id).execute();
  for (const [place, account] of group.members.entries()) {
    const userId = await memberOf(tx, tenantId, account, `${path}.members[${place}]`);
    await tx
      .insertInto("group_members")
      .values({ group_id: group.id, user_id: userId })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** The userId of a tenant's member, named by username or userId. */
export async function memberOf(tx: Db, tenantId: string, account: string, path: string): Promise<string> {
  const rows = await tx
    .selectFrom("members")
    .select(["user_id", "username"])
    .where("tenant_id", "=", tenantId)
    .where((eb) => eb.or([eb("username", "=", account), eb("user_id", "=", account)]))
    .execute();
  const member = rows.find((row) => row.username === account) ?? rows[0];
  if (member === undefined) throw new ProvisioningError(path, `names an unknown member ${account} of ${tenantId}`);
  return member.user_id;
}

export async function provisionDeveloper(
  tx: Db,
  file: ProvisioningFile,
  index: number,
  passwordHash: string | undefined,
): Promise<void> {
  const path = `developers[${index}]`;
  const developer = file.developers?.[index];
  if (developer === undefined) return;
  const channelId = developer.channelId ?? DEFAULT_CHANNEL;
  const said = {
    ...(developer.name !== undefined && { name: developer.name }),
    ...(developer.operator !== undefined && { operator: developer.operator ? 1 : 0 }),
    ...(passwordHash !== undefined && { password_hash: passwordHash }),
  };
  const identity = { phone: developer.phone, channel_id: channelId };
  const fresh = { developer_id: `dev_${randomBytes(12).toString("hex")}`, name: developer.phone, operator: 0 };
  const row = await tx
    .insertInto("developers")
    .values({ ...fresh, ...identity, ...said })
    .onConflict((conflict) => conflict.columns(["channel_id", "phone"]).doUpdateSet({ ...identity, ...said }))
    .returning("developer_id")
    .executeTakeFirstOrThrow();
  if (developer.tenants === undefined) return;
  await tx.deleteFrom("developer_tenants").where("developer_id", "=", row.developer_id).execute();
  for (const [place, tenant] of developer.tenants.entries()) {
    const tenantId = await tenantOf(tx, file, tenant, `${path}.tenants[${place}]`);
    const membership = { developer_id: row.developer_id, tenant_id: tenantId };
    await tx
      .insertInto("developer_tenants")
      .values(membership)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}
