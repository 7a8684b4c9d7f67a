import { ApiError } from "@portico/protocol";
import type {
  EndpointBody,
  EndpointQuery,
  EndpointValue,
  PathParams,
  WidgetEndpoint,
} from "@portico/protocol/endpoints";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../domain/applications/app-directory.ts";
import { isAllowedOrigin } from "../../domain/applications/origin-store.ts";
import type { RouteParts } from "../common/parts.ts";
import type { AddResultRoute, ResultCall, ResultRoute } from "../common/result-route.ts";
import { admitOrigin, isOwnOrigin, varyByOrigin } from "./cross-origin.ts";
import type { VisitorParts } from "./parts.ts";

/** A call of a page on a site, about an application that allows the site. */
interface SiteCall<Body, Query, Params> extends ResultCall<Body, Query, Params> {
  app: App;
  /** Whether a page of the service itself calls, such as a widget's frame; no other page can say so of itself. */
  isOwnPage: boolean;
}

/** One endpoint of the widget's API that needs no visitor, and the parts that its handler needs. */
export interface SiteRoute<E extends WidgetEndpoint<"site">, Parts = RouteParts> extends ResultRoute<E> {
  /**
   * Set for a route that only pages on the application's sites may call: a call without an Origin is refused, and the
   * service's own page has to name the site around it.
   */
  namesItsSite?: true;
  /** The application that the call is about. */
  appIdOf: (call: ResultCall<EndpointBody<E>, EndpointQuery<E>, PathParams<E["path"]>>) => string;
  /** The site of the page that holds the calling frame, which is the service's own page; nothing when it does not say. */
  siteOf?: (call: ResultCall<EndpointBody<E>, EndpointQuery<E>, PathParams<E["path"]>>) => string | null | undefined;
  /** Asked before anything is looked up. @throws ApiError when the caller has called too often. */
  admit?: (ctx: Parts, call: ResultCall<EndpointBody<E>, EndpointQuery<E>, PathParams<E["path"]>>) => void;
  handle: (
    ctx: Parts,
    call: SiteCall<EndpointBody<E>, EndpointQuery<E>, PathParams<E["path"]>>,
  ) => Promise<EndpointValue<E>>;
}

/** Registers one such route, whose handler needs no other parts than these. */
export type AddSiteRoute<Parts> = <E extends WidgetEndpoint<"site">>(route: SiteRoute<E, Parts>) => void;

/**
 * Registers routes that need no visitor. The application is known only when the body has been read, so the page can read
 * no refusal of a body that names none.
 */
export function siteRoutes<Parts extends VisitorParts>(
  ctx: Parts,
  add: AddResultRoute,
  noteMethod: (endpoint: WidgetEndpoint) => void,
): AddSiteRoute<Parts> {
  const callers = {
    identify: async (request: FastifyRequest, reply: FastifyReply) => {
      varyByOrigin(reply);
      return { request, reply };
    },
    owner: () => null,
  };
  return (route) => {
    noteMethod(route.endpoint);
    add(route, callers, {
      async handle({ request, reply }, call) {
        route.admit?.(ctx, call);
        const appId = route.appIdOf(call);
        if (route.namesItsSite && request.headers.origin === undefined) throw new ApiError("WIDGET_SITE_NOT_ALLOWED");
        await admitOrigin(ctx, appId, request, reply);
        const isOwnPage = isOwnOrigin(ctx, request.headers.origin ?? "");
        const site = route.siteOf?.(call) ?? null;
        if (site !== null && !(await isAllowedOrigin(ctx.storage.db, appId, site))) {
          throw new ApiError("WIDGET_SITE_NOT_ALLOWED");
        }
        const app = await ctx.apps.find(appId);
        if (app?.type !== "CUSTOMER_SERVICE" || app.status !== "ACTIVE") throw new ApiError("APP_NOT_ACTIVE");
        if (site === null && route.namesItsSite && isOwnPage) throw new ApiError("WIDGET_SITE_NOT_ALLOWED");
        return await route.handle(ctx, { ...call, app, isOwnPage });
      },
    });
  };
}
