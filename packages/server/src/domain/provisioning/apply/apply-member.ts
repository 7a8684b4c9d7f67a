import { RaceLost } from "../../../platform/storage/savepoint.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import { endTokens } from "../../accounts/member-session.ts";
import { endConsoleOfMember } from "../../accounts/pending-sign-ins.ts";
import { holdUsername } from "../../directory/user-names.ts";
import { markNumberOfOperator } from "../../directory/whose-word.ts";
import { ByDefault } from "../applied-state.ts";
import { keyOf } from "../entities.ts";
import { ProvisioningError } from "../provisioning-error.ts";
import type { Entry } from "../schema.ts";
import { changesOf, countOf, fieldsOf } from "./apply-fields.ts";
import { pathOfTenant } from "./named.ts";
import type { Run } from "./run.ts";

/** A member's fields, without the password. */
interface MemberFields {
  tenant: string;
  username: string;
  name: string;
  phone: string | null;
}

export async function provisionMember(run: Run, member: Entry<"members">, path: string): Promise<void> {
  const tenantId = await run.tenantOf(member.tenant, pathOfTenant(path, member));
  const { userId, name, phone } = member;
  const username = member.username ?? userId;
  if (run.passesOver({ userId, username }, tenantId)) return;
  const password = member.password || undefined;
  const applied = run.appliedStateOf(keyOf.member(userId));
  const given = {
    tenant: member.tenant === undefined ? new ByDefault(tenantId) : tenantId,
    username: member.username === undefined ? new ByDefault(username) : username,
    name,
    phone,
  };
  if (!applied.hasChanges({ id: true, ...given, password })) {
    run.report.unchanged += countOf({ id: true, ...given, password });
    return;
  }
  applied.note("id", true);
  const current = await lockMember(run.tx, userId);
  if (current === null || current.tenant !== tenantId || current.username !== username)
    await checkUsername(run, { userId, tenantId, username }, `${path}.username`);
  if (current === null) {
    applied.beginAnew();
    applied.noteAll(given);
    const passwordHash = run.firstPassword(applied, password);
    await insertMember(
      run.tx,
      userId,
      { name: username, phone: null, ...fieldsOf(given), tenant: tenantId, username },
      { passwordHash, now: run.now },
    );
    run.created(applied.entity, countOf({ id: true, ...given, password }));
    await run.audit({
      action: "member.create",
      target: applied.entity,
      tenantId,
      before: null,
      after: {
        userId,
        username,
        name: name ?? username,
        phone: phone ?? null,
        disabled: false,
        password: passwordHash === null ? "none" : "set",
      },
    });
    return;
  }
  run.report.unchanged++;
  // The file is the operator's word, also where somebody else has said the same before.
  if (applied.hasChanged("phone", phone)) await markNumberOfOperator(run.tx, userId);
  const { passwordHash: currentHash, ...fields } = current;
  const changes = changesOf<MemberFields>(run, applied, fields, given);
  const passwordHash = run.changedPassword(applied, password, currentHash);
  if (changes === null && passwordHash === undefined) return;

  await updateMember(run.tx, userId, { ...fields, ...changes?.after }, { passwordHash, now: run.now });
  if (passwordHash !== undefined) {
    await endTokens(run.tx, userId);
    run.afterCommit(() => run.ctx.live.signedOut(userId));
  } else if (changes?.after.phone !== undefined || changes?.after.tenant !== undefined) {
    await endConsoleOfMember(run.tx, userId);
  }
  await run.audit({
    action: "member.update",
    target: applied.entity,
    tenantId: changes?.after.tenant ?? fields.tenant,
    before: { ...changes?.before },
    after: { ...changes?.after, ...(passwordHash !== undefined && { password: "changed" }) },
  });
}

/** @throws ProvisioningError when another member has the username, in whatever case. */
async function checkUsername(
  { tx }: Run,
  { userId, tenantId, username }: { userId: string; tenantId: string; username: string },
  path: string,
): Promise<void> {
  const holder = await holdUsername(tx, tenantId, { userId, username });
  if (holder !== null) throw new ProvisioningError(path, `is taken: ${holder.username} is ${holder.userId}`);
}

/** The member, its row locked until the transaction ends; null when there is none. */
async function lockMember(tx: Db, userId: string): Promise<(MemberFields & { passwordHash: string | null }) | null> {
  const row = await tx
    .updateTable("members")
    .set((eb) => ({ name: eb.ref("name") }))
    .where("user_id", "=", userId)
    .returning(["tenant_id as tenant", "username", "name", "phone", "password_hash as passwordHash"])
    .executeTakeFirst();
  return row ?? null;
}

async function insertMember(
  tx: Db,
  userId: string,
  fields: MemberFields,
  { passwordHash, now }: { passwordHash: string | null; now: number },
): Promise<void> {
  const { tenant: tenant_id, username, name, phone } = fields;
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("members")
    .values({
      ...{ user_id: userId, tenant_id, username, name, phone, password_hash: passwordHash },
      ...{ added_at: now, edited_at: now },
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows !== 1n) throw new RaceLost(`member ${userId} was made by somebody else`);
}

/** @param passwordHash absent: the password does not change. */
async function updateMember(
  tx: Db,
  userId: string,
  fields: MemberFields,
  { passwordHash, now }: { passwordHash: string | undefined; now: number },
): Promise<void> {
  const { tenant: tenant_id, username, name, phone } = fields;
  await tx
    .updateTable("members")
    .set({
      ...{ tenant_id, username, name, phone, edited_at: now },
      ...(passwordHash !== undefined && { password_hash: passwordHash }),
    })
    .where("user_id", "=", userId)
    .execute();
}
