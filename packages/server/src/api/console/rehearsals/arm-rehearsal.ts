import { REHEARSAL } from "@portico/protocol";
import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { findRehearsal, setRehearsal } from "../../../domain/applications/rehearsal-store.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { requireLockedApp } from "../../common/console/require-app.ts";
import type { RehearsalParts } from "../parts.ts";

const MINUTE_MS = 60_000;

/** PUT apps/{appId}/rehearsal: replaces any other rehearsal of the application. */
export const armRehearsal: ConsoleRoute<typeof CONSOLE_ENDPOINTS.armRehearsal, RehearsalParts> = {
  endpoint: CONSOLE_ENDPOINTS.armRehearsal,
  async handle(ctx, { app: { appId }, body, audit }) {
    if (ctx.config.environment === "production") throw new ConsoleError("REHEARSAL_IN_PRODUCTION");
    const { fault, times = REHEARSAL.times.default, minutes = REHEARSAL.minutes.default } = body;
    const now = ctx.clock.now();
    const delayMs = fault === "CALL_SLOW" ? (body.delayMs ?? REHEARSAL.delayMs.default) : 0;
    const rehearsal = { fault, left: times, endsAt: now + minutes * MINUTE_MS, delayMs };
    await ctx.storage.write(async (tx) => {
      const { tenantId } = await requireLockedApp(tx, appId);
      const before = await findRehearsal(tx, appId, now);
      await setRehearsal(tx, appId, rehearsal);
      await audit(tx, { action: "rehearsal.arm", target: `app:${appId}`, appId, tenantId, before, after: rehearsal });
    });
    ctx.apps.forget(appId);
    return { allowed: true, rehearsal };
  },
};
