import { type AppType, fault, type Scope, scopeAllowedFor } from "@portico/protocol";
import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { findPending, openReview, setReviewScopes } from "../../../domain/applications/review-store.ts";
import { findScopes, insertRequested, requestedOf, scopeListOf } from "../../../domain/applications/scope-store.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { requireLockedApp } from "../../common/console/require-app.ts";

/**
 * POST apps/{appId}/scopes: requests scopes. If a review is waiting, they are added to it. For an ACTIVE application,
 * which keeps its scopes, a review is opened. In other states they wait for the submission.
 */
export const requestScopes: ConsoleRoute<typeof CONSOLE_ENDPOINTS.requestScopes> = {
  endpoint: CONSOLE_ENDPOINTS.requestScopes,
  async handle(ctx, { app: { appId }, developer, body, audit }) {
    const asked = [...new Set(body.scopes)];
    return await ctx.storage.write(async (tx) => {
      const { type, tenantId, status } = await requireLockedApp(tx, appId);
      checkForType(asked, type);
      if (status === "DISABLED") throw new ConsoleError("DISABLED_APP_SCOPES");
      const states = await findScopes(tx, appId);
      const open = asked.filter((scope) => states.get(scope) !== "GRANTED");
      if (open.length === 0) return scopeListOf(type, states);

      const added = open.filter((scope) => !states.has(scope));
      await insertRequested(tx, appId, added);
      const now = await findScopes(tx, appId);
      const scopes = requestedOf(now);
      const pending = await findPending(tx, appId);
      const opensReview = pending === null && status === "ACTIVE";
      if (pending !== null) await setReviewScopes(tx, pending.reviewId, scopes);
      if (opensReview) {
        const submission = { appId, note: body.note ?? "", scopes, submittedBy: developer.developerId };
        await openReview(tx, { ...submission, now: ctx.clock.now() });
      }
      if (opensReview || added.length > 0) {
        await audit(tx, {
          action: "scope.request",
          target: `app:${appId}`,
          appId,
          tenantId,
          before: { requested: requestedOf(states) },
          after: { requested: scopes },
        });
      }
      return scopeListOf(type, now);
    });
  },
};

/** @throws ApiError 403 naming a scope that applications of this type cannot hold. */
function checkForType(scopes: readonly Scope[], type: AppType): void {
  const foreign = scopes.find((scope) => !scopeAllowedFor(scope, type));
  if (foreign !== undefined) throw new ConsoleError(fault("SCOPE_NOT_FOR_APP_TYPE", { type, scope: foreign }));
}
