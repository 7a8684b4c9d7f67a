import type { AppState } from "@portico/protocol";
import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { setStatus } from "../../../domain/applications/locked-app.ts";
import { findPending, openReview } from "../../../domain/applications/review-store.ts";
import { findScopes, requestedOf } from "../../../domain/applications/scope-store.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { AppParts } from "../../common/console/console-parts.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { requireLockedApp, viewApp } from "../../common/console/require-app.ts";

/**
 * POST apps/{appId}/submit: submits an application for review, or the scopes that an ACTIVE one has requested
 * (docs/contract/applications.md#states).
 */
export const submitApp: ConsoleRoute<typeof CONSOLE_ENDPOINTS.submitApp, AppParts> = {
  endpoint: CONSOLE_ENDPOINTS.submitApp,
  async handle(ctx, { app: { appId }, developer, body, audit }) {
    const { note = "" } = body;
    const view = await ctx.storage.write(async (tx) => {
      const { tenantId, status, displayName } = await requireLockedApp(tx, appId);
      const scopes = requestedOf(await findScopes(tx, appId));
      checkSubmittable({
        status,
        isPending: (await findPending(tx, appId)) !== null,
        asksForScopes: scopes.length > 0,
      });
      if (displayName.trim() === "") throw new ConsoleError("DISPLAY_NAME_MISSING");
      const after = status === "ACTIVE" ? status : "IN_REVIEW";
      await setStatus(tx, appId, after);
      await openReview(tx, { appId, note, scopes, submittedBy: developer.developerId, now: ctx.clock.now() });
      await audit(tx, {
        action: "app.submit",
        target: `app:${appId}`,
        appId,
        tenantId,
        before: { status },
        after: { status: after, note, scopes },
      });
      return await viewApp(tx, appId);
    });
    ctx.apps.forget(appId);
    return view;
  },
};

/** @throws ConsoleError 409 with the reason why it cannot be submitted now. */
function checkSubmittable(now: { status: AppState; isPending: boolean; asksForScopes: boolean }): void {
  if (now.status === "DISABLED") throw new ConsoleError("SUBMITTED_APP_DISABLED");
  if (now.isPending) throw new ConsoleError("REVIEW_ALREADY_PENDING");
  if (now.status === "ACTIVE" && !now.asksForScopes) throw new ConsoleError("NOTHING_TO_REVIEW");
}
