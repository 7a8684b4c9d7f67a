import { type AppType, defaultScopes, scopeAllowedFor } from "@portico/protocol";
import { normalOrigin, setOrigins } from "../applications/origin-store.ts";
import { findPending, openReview } from "../applications/review-store.ts";
import { findScopes, requestedOf } from "../applications/scope-store.ts";
import { forgetOtherVersion } from "../cards/template-store.ts";
import { endVisitorTokens } from "../customer/visitor-tokens.ts";
import type { Db } from "../storage/schema.ts";
import type { ProvisioningContext } from "./apply.ts";
import { memberOf, pathOfTenant, tenantOf } from "./apply-directory.ts";
import { ProvisioningError } from "./provisioning-error.ts";
import type { AppEntry, ProvisioningFile } from "./schema.ts";

/** Where an entry's parts go: its application and the path that messages name. */
interface Place {
  tx: Db;
  app: AppEntry;
  tenantId: string;
  path: string;
  now: number;
}

/** Makes one application what the file says it is. An application without a type is a BOT, without a status ACTIVE. */
export async function provisionApp(ctx: ProvisioningContext, tx: Db, file: ProvisioningFile, index: number) {
  const path = `apps[${index}]`;
  const app = file.apps?.[index];
  if (app === undefined) return;
  const tenantId = await tenantOf(tx, file, app.tenant, pathOfTenant(path, app));
  const place: Place = { tx, app, tenantId, path, now: ctx.clock.now() };
  const { type, status, ownerId } = await writeApp(place);
  await writeScopes(place, type);
  await writeOrigins(place, type);
  if (status === "IN_REVIEW") await writeReview(place, ownerId);
  await writeCredentials(ctx, place);
  await writeInstallations(place);
  await writeCardTemplates(place);
  await writeAgents(place);
  await writeVisitors(place);
}

async function writeApp({ tx, app, tenantId, path, now }: Place) {
  const owner = app.owner === undefined ? undefined : await ownerOf(tx, app.owner, `${path}.owner`);
  const said = {
    tenant_id: tenantId,
    ...(app.type !== undefined && { type: app.type }),
    ...(owner !== undefined && { owner_id: owner }),
    ...(app.status !== undefined && { status: app.status }),
    ...(app.profile?.displayName !== undefined && { display_name: app.profile.displayName }),
    ...(app.profile?.avatar !== undefined && { avatar: app.profile.avatar }),
    per_minute: app.quota?.perMinute ?? null,
    per_day: app.quota?.perDay ?? null,
    concurrent: app.quota?.concurrent ?? null,
  };
  const fresh = { type: "BOT", status: "ACTIVE", display_name: app.appId, avatar: "", created_at: now } as const;
  return await tx
    .insertInto("apps")
    .values({ app_id: app.appId, ...fresh, ...said })
    .onConflict((conflict) => conflict.column("app_id").doUpdateSet(said))
    .returning(["type", "status", "owner_id as ownerId"])
    .executeTakeFirstOrThrow();
}

async function ownerOf(tx: Db, phone: string, path: string): Promise<string> {
  const row = await tx
    .selectFrom("developers")
    .select("developer_id")
    .where("phone", "=", phone)
    .orderBy("channel_id")
    .executeTakeFirst();
  if (row === undefined) throw new ProvisioningError(path, `names an unknown developer ${phone}`);
  return row.developer_id;
}

async function writeScopes({ tx, app, path }: Place, type: AppType): Promise<void> {
  const { appId: app_id } = app;
  const known = await tx.selectFrom("app_scopes").select("scope").where("app_id", "=", app_id).execute();
  if (app.scopes === undefined && known.length > 0) {
    // The type may have changed: what it can never hold goes.
    const stray = known.map((row) => row.scope).filter((scope) => !scopeAllowedFor(scope, type));
    if (stray.length > 0) {
      await tx.deleteFrom("app_scopes").where("app_id", "=", app_id).where("scope", "in", stray).execute();
    }
    return;
  }
  for (const [index, scope] of (app.scopes ?? []).entries()) {
    if (!scopeAllowedFor(scope, type)) {
      throw new ProvisioningError(`${path}.scopes[${index}]`, `is ${scope}, which an app of type ${type} cannot hold`);
    }
  }
  await tx.deleteFrom("app_scopes").where("app_id", "=", app_id).execute();
  for (const scope of new Set(app.scopes ?? defaultScopes(type))) {
    await tx.insertInto("app_scopes").values({ app_id, scope, state: "GRANTED" }).execute();
  }
}

async function writeOrigins({ tx, app, path }: Place, type: AppType): Promise<void> {
  const given = app.profile?.allowedOrigins;
  if (given === undefined) return;
  const where = `${path}.profile.allowedOrigins`;
  if (type !== "CUSTOMER_SERVICE") throw new ProvisioningError(where, `is only for apps of type CUSTOMER_SERVICE`);
  const origins = given.map((text, index) => {
    const origin = normalOrigin(text);
    if (origin === null)
      throw new ProvisioningError(`${where}[${index}]`, `must be an origin like https://example.com`);
    return origin;
  });
  await setOrigins(tx, app.appId, [...new Set(origins)]);
}

/** What is in review has something that can be decided on. */
async function writeReview({ tx, app: { appId }, now }: Place, ownerId: string | null): Promise<void> {
  if ((await findPending(tx, appId)) !== null) return;
  const scopes = requestedOf(await findScopes(tx, appId));
  await openReview(tx, { appId, note: "", scopes, submittedBy: ownerId ?? "", now });
}

async function writeCredentials(ctx: ProvisioningContext, { tx, app, path, now }: Place): Promise<void> {
  for (const [index, { credentialId, appSecret, rotatedAt }] of (app.credentials ?? []).entries()) {
    const where = `${path}.credentials[${index}]`;
    const holder = await tx
      .selectFrom("credentials")
      .select("app_id")
      .where("credential_id", "=", credentialId)
      .executeTakeFirst();
    if (holder && holder.app_id !== app.appId) {
      throw new ProvisioningError(`${where}.credentialId`, `belongs to another app, ${holder.app_id}`);
    }
    const rotated = rotatedAt === undefined ? null : parseTime(rotatedAt);
    if (Number.isNaN(rotated)) throw new ProvisioningError(`${where}.rotatedAt`, "must be an ISO 8601 time");
    const said = { secret_box: ctx.secretBox.seal(appSecret, credentialId), rotated_at: rotated };
    await tx
      .insertInto("credentials")
      .values({ credential_id: credentialId, app_id: app.appId, created_at: now, ...said })
      .onConflict((conflict) => conflict.column("credential_id").doUpdateSet(said))
      .execute();
  }
}

/** Milliseconds since the epoch of an ISO 8601 time with its zone; NaN for what is none. */
function parseTime(text: string): number {
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  return isTime ? Date.parse(text) : Number.NaN;
}

async function writeInstallations({ tx, app, tenantId, path, now }: Place): Promise<void> {
  for (const [index, { targetType, targetId }] of (app.installations ?? []).entries()) {
    const where = `${path}.installations[${index}]`;
    const id = targetType === "USER" ? await memberOf(tx, tenantId, targetId, `${where}.targetId`) : targetId;
    if (targetType === "GROUP") await checkGroup(tx, tenantId, targetId, `${where}.targetId`);
    // Spread over milliseconds, so that the order of the file is the order of installation.
    const row = { app_id: app.appId, target_type: targetType, target_id: id, installed_at: now + index };
    await tx
      .insertInto("installations")
      .values({ ...row, first_installed_at: row.installed_at, status: "ACTIVE" })
      .onConflict((conflict) =>
        conflict.columns(["app_id", "target_type", "target_id"]).doUpdateSet({ status: "ACTIVE" }),
      )
      .execute();
  }
}

async function checkGroup(tx: Db, tenantId: string, groupId: string, path: string): Promise<void> {
  const row = await tx
    .selectFrom("groups")
    .select("group_id")
    .where("group_id", "=", groupId)
    .where("tenant_id", "=", tenantId)
    .executeTakeFirst();
  if (row === undefined) throw new ProvisioningError(path, `names an unknown group ${groupId} of ${tenantId}`);
}

async function writeCardTemplates({ tx, app, path }: Place): Promise<void> {
  for (const [index, { cardId, name, version = 1, card }] of (app.cardTemplates ?? []).entries()) {
    const holder = await tx
      .selectFrom("card_templates")
      .select("app_id")
      .where("card_id", "=", cardId)
      .executeTakeFirst();
    if (holder && holder.app_id !== app.appId) {
      throw new ProvisioningError(`${path}.cardTemplates[${index}].cardId`, `belongs to another app, ${holder.app_id}`);
    }
    const said = { name: name ?? cardId, version, card: JSON.stringify(card ?? {}) };
    await tx
      .insertInto("card_templates")
      .values({ card_id: cardId, app_id: app.appId, ...said })
      .onConflict((conflict) => conflict.column("card_id").doUpdateSet(said))
      .execute();
    await forgetOtherVersion(tx, cardId, said);
  }
}

async function writeAgents({ tx, app, tenantId, path }: Place): Promise<void> {
  if (app.agents === undefined) return;
  await tx.deleteFrom("app_agents").where("app_id", "=", app.appId).execute();
  for (const [index, account] of app.agents.entries()) {
    const userId = await memberOf(tx, tenantId, account, `${path}.agents[${index}]`);
    const row = { app_id: app.appId, user_id: userId };
    await tx
      .insertInto("app_agents")
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

async function writeVisitors({ tx, app, path, now }: Place): Promise<void> {
  for (const [index, visitor] of (app.visitors ?? []).entries()) {
    const holder = await tx
      .selectFrom("visitors")
      .select("app_id")
      .where("visitor_id", "=", visitor.visitorId)
      .executeTakeFirst();
    if (holder && holder.app_id !== app.appId) {
      throw new ProvisioningError(`${path}.visitors[${index}].visitorId`, `belongs to another app, ${holder.app_id}`);
    }
    const thirdUserId = visitor.thirdUserId ?? visitor.visitorId;
    const namesake = await tx
      .selectFrom("visitors")
      .select("visitor_id")
      .where("app_id", "=", app.appId)
      .where("third_user_id", "=", thirdUserId)
      .executeTakeFirst();
    if (namesake && namesake.visitor_id !== visitor.visitorId) {
      throw new ProvisioningError(`${path}.visitors[${index}].thirdUserId`, `is taken by ${namesake.visitor_id}`);
    }
    const said = {
      ...(visitor.thirdUserId !== undefined && { third_user_id: visitor.thirdUserId }),
      ...(visitor.nickname !== undefined && { nickname: visitor.nickname }),
      ...(visitor.status !== undefined && { status: visitor.status }),
      app_id: app.appId,
    };
    const id = { visitor_id: visitor.visitorId, third_user_id: visitor.visitorId };
    const fresh = { ...id, nickname: "", status: 1, created_at: now };
    await tx
      .insertInto("visitors")
      .values({ ...fresh, ...said })
      .onConflict((conflict) => conflict.column("visitor_id").doUpdateSet(said))
      .execute();
    if (visitor.status === 0) await endVisitorTokens(tx, visitor.visitorId);
  }
}
