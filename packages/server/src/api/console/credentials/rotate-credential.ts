import { fault } from "@portico/protocol";
import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import {
  countRotatedSince,
  insertCredential,
  newCredential,
  pruneCredentials,
  retireCurrent,
  shownId,
} from "../../../domain/applications/credential-store.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { AppParts, LimitParts } from "../../common/console/console-parts.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { requireLockedApp } from "../../common/console/require-app.ts";
import type { SecretParts } from "../parts.ts";

/** The most credentials in their grace period; fewer than a signed call loads. */
const MAX_IN_GRACE = 50;

/**
 * POST apps/{appId}/credentials: replaces the current credential, whose grace period begins. Grace periods of earlier
 * ones continue (docs/contract/applications.md#credentials).
 */
export const rotateCredential: ConsoleRoute<
  typeof CONSOLE_ENDPOINTS.rotateCredential,
  AppParts & LimitParts & SecretParts
> = {
  endpoint: CONSOLE_ENDPOINTS.rotateCredential,
  async handle(ctx, { app: { appId }, audit }) {
    const { credentialGraceMs } = ctx.config.limits;
    const credential = newCredential(ctx.secretBox);
    const createdAt = await ctx.storage.write(async (tx) => {
      const { tenantId } = await requireLockedApp(tx, appId);
      const now = ctx.clock.now();
      const graceSince = now - credentialGraceMs;
      const retired = await retireCurrent(tx, appId, now);
      if ((await countRotatedSince(tx, appId, graceSince)) > MAX_IN_GRACE) {
        throw new ConsoleError(fault("CREDENTIALS_IN_GRACE_TOO_MANY", { max: MAX_IN_GRACE }));
      }
      await insertCredential(tx, appId, credential, now);
      await pruneCredentials(tx, appId, graceSince, now);
      const created = shownId(credential.credentialId);
      await audit(tx, {
        action: "credential.rotate",
        target: `credential:${created}`,
        appId,
        tenantId,
        before: { current: retired.map(shownId) },
        after: { current: [created] },
      });
      return now;
    });
    ctx.apps.forget(appId);
    return { credentialId: credential.credentialId, appSecret: credential.appSecret, createdAt };
  },
};
