import { randomBytes } from "node:crypto";
import { fault } from "@portico/protocol";
import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import type { Developer } from "../../../domain/accounts/developer.ts";
import { insertCredential, newCredential, shownId } from "../../../domain/applications/credential-store.ts";
import { countOwnedApps, insertApp } from "../../../domain/applications/new-app-store.ts";
import { findDeveloper } from "../../../domain/directory/developer-store.ts";
import { isTenantOf } from "../../../domain/directory/tenant-store.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import { checkProfile } from "../../common/console/app-profile.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { viewApp } from "../../common/console/require-app.ts";
import type { SecretParts } from "../parts.ts";

/** The most applications that a developer may own. */
const MAX_APPS = 200;
const ID_BYTES = 12;

/** POST apps: creates an UNPUBLISHED application with its first credential. */
export const createApp: ConsoleRoute<typeof CONSOLE_ENDPOINTS.createApp, SecretParts> = {
  endpoint: CONSOLE_ENDPOINTS.createApp,
  async handle(ctx, { developer, tenantId: named, body, audit }) {
    checkProfile(body);
    const { developerId: ownerId } = developer;
    const { type, displayName, avatar = "", description = "" } = body;
    const tenantId = await tenantFor(ctx.storage.db, developer, body.tenantId ?? named);
    const appId = `app_${randomBytes(ID_BYTES).toString("base64url")}`;
    const app = { appId, type, tenantId, ownerId, displayName, avatar, description };
    const credential = newCredential(ctx.secretBox);
    const view = await ctx.storage.write(async (tx) => {
      if ((await countOwnedApps(tx, ownerId)) >= MAX_APPS)
        throw new ConsoleError(fault("APPS_TOO_MANY", { max: MAX_APPS }));
      const now = ctx.clock.now();
      await insertApp(tx, app, now);
      await insertCredential(tx, appId, credential, now);
      await audit(tx, {
        action: "app.create",
        target: `app:${appId}`,
        appId,
        tenantId,
        before: null,
        after: { type, displayName, avatar, description, credential: shownId(credential.credentialId) },
      });
      return await viewApp(tx, appId);
    });
    return { ...view, credentialId: credential.credentialId, appSecret: credential.appSecret };
  },
};

/**
 * The named tenant, or else the only tenant of the developer or of their login.
 *
 * @throws ApiError 400 when there are several, 403 when the developer does not belong to the named one.
 */
async function tenantFor(db: Db, developer: Developer, said: string): Promise<string> {
  const { developerId, tenantId: seen } = developer;
  const named = said === "" && seen !== null ? seen : said;
  if (named !== "") {
    if (await isTenantOf(db, developer, named)) return named;
    throw new ConsoleError("TENANT_FORBIDDEN");
  }
  const [only, ...others] = (await findDeveloper(db, developerId))?.tenants ?? [];
  if (only === undefined || others.length > 0) throw new ConsoleError("TENANT_REQUIRED");
  return only.tenantId;
}
