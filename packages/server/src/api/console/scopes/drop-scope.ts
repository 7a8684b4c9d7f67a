import { fault, isScope, SCOPES, type Scope } from "@portico/protocol";
import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { closeReview, findPending, setReviewScopes } from "../../../domain/applications/review-store.ts";
import { findScopes, removeScope, requestedOf, scopeListOf } from "../../../domain/applications/scope-store.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { AppParts } from "../../common/console/console-parts.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { requireLockedApp } from "../../common/console/require-app.ts";

/**
 * DELETE apps/{appId}/scopes/{scope}: gives up a granted or requested scope. When an ACTIVE application has no
 * requested scope left, its review ends.
 */
export const dropScope: ConsoleRoute<typeof CONSOLE_ENDPOINTS.dropScope, AppParts> = {
  endpoint: CONSOLE_ENDPOINTS.dropScope,
  async handle(ctx, { app: { appId }, params, audit }) {
    const scope = scopeParam(params);
    const list = await ctx.storage.write(async (tx) => {
      const { type, tenantId, status } = await requireLockedApp(tx, appId);
      const states = await findScopes(tx, appId);
      const state = states.get(scope);
      if (state === undefined) throw new ConsoleError(fault("SCOPE_NOT_HELD", { scope }));
      if (SCOPES[scope].defaultGranted) throw new ConsoleError(fault("SCOPE_IS_DEFAULT", { scope }));

      await removeScope(tx, appId, scope);
      const now = await findScopes(tx, appId);
      const pending = state === "REQUESTED" ? await findPending(tx, appId) : null;
      if (pending !== null) {
        const scopes = requestedOf(now);
        if (status === "IN_REVIEW" || scopes.length > 0) await setReviewScopes(tx, pending.reviewId, scopes);
        else await closeReview(tx, pending.reviewId, { state: "WITHDRAWN" });
      }
      await audit(tx, {
        action: "scope.drop",
        target: `scope:${scope}`,
        appId,
        tenantId,
        before: { state },
        after: null,
      });
      return scopeListOf(type, now);
    });
    ctx.apps.forget(appId);
    return list;
  },
};

/** @throws ApiError 400 when the path contains an unknown scope. */
function scopeParam({ scope = "" }: Readonly<Record<string, string>>): Scope {
  if (!isScope(scope)) throw new ConsoleError("SCOPE_UNKNOWN");
  return scope;
}
