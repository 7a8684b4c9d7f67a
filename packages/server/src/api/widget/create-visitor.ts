import { createHash } from "node:crypto";
import { ApiError } from "@portico/protocol";
import { WIDGET_ENDPOINTS } from "@portico/protocol/endpoints";
import type { AnonymousVisitor } from "@portico/protocol/schemas";
import { findWidget } from "../../domain/applications/widget-store.ts";
import { AnonymousAllowance } from "../../domain/customer-service/anonymous-allowance.ts";
import { createAnonymousVisitor, renewAnonymousVisitor } from "../../domain/customer-service/anonymous-visitors.ts";
import { isVisitorKey, VISITOR_KEY_LIFE_MS } from "../../domain/customer-service/visitor-keys.ts";
import { addressBlock } from "../../platform/http/client-address.ts";
import { TokenCookie } from "../common/token-cookie.ts";
import type { SiteRoute } from "./site-route.ts";

/**
 * The key of an application's visitor, for frames to which their browser gives no storage. It is partitioned: each site has
 * its own, and the frame's page cannot read it.
 */
function cookieOf(appId: string): TokenCookie {
  const name = createHash("sha256").update(appId).digest("hex").slice(0, 16);
  return new TokenCookie(`portico_visitor_${name}`, WIDGET_ENDPOINTS.createVisitor.path, "None; Partitioned");
}

/**
 * POST /api/widget/v1/visitors: a visitor whom the site does not name gets a token; with the key of an earlier call, the
 * same visitor a further one, also after the owner has ceased to take new ones.
 */
export function createVisitor(): SiteRoute<typeof WIDGET_ENDPOINTS.createVisitor> {
  const allowance = new AnonymousAllowance();
  return {
    endpoint: WIDGET_ENDPOINTS.createVisitor,
    namesItsSite: true,
    appIdOf: ({ body }) => body.appId,
    siteOf: ({ body }) => body.site,
    async handle({ storage, clock }, { app: { appId }, body, address, isOwnPage, cookies, setCookie }) {
      const now = clock.now();
      const from = addressBlock(address);
      const cookie = cookieOf(appId);
      const given = (made: AnonymousVisitor) => {
        if (isOwnPage) setCookie(cookie.holding(made.visitorKey, VISITOR_KEY_LIFE_MS));
        return made;
      };
      const visitorKey = body.visitorKey ?? (isOwnPage && body.isReturning ? cookie.tokenIn(cookies) : null);
      if (visitorKey !== null || body.isReturning) {
        refuseBeyond(allowance.takeRenewal(from, clock.monotonic()));
        // Who knows no key opens no transaction.
        if (visitorKey === null || !(await isVisitorKey(storage.db, visitorKey, now))) {
          throw new ApiError("VISITOR_KEY_UNKNOWN");
        }
        return given(await storage.write((tx) => renewAnonymousVisitor(tx, { appId, visitorKey, now })));
      }
      const { anonymousVisitors, widget } = await findWidget(storage.db, appId);
      if (!anonymousVisitors) throw new ApiError("ANONYMOUS_VISITORS_REFUSED");
      refuseBeyond(allowance.takeNew(from, appId, clock.monotonic()));
      return given(await storage.write((tx) => createAnonymousVisitor(tx, { appId, locale: widget.locale, now })));
    },
  };
}

/** @throws ApiError 429001 unless the allowance has room. */
function refuseBeyond(retryAfterSeconds: number | null): void {
  if (retryAfterSeconds !== null) throw new ApiError("ANONYMOUS_VISITORS_TOO_MANY", { retryAfterSeconds });
}
