import { ApiError } from "@portico/protocol";
import type {
  EndpointBody,
  EndpointQuery,
  EndpointValue,
  PathParams,
  WidgetEndpoint,
} from "@portico/protocol/endpoints";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isAnonymous } from "../../domain/customer-service/anonymous-visitors.ts";
import type { VisitorRow } from "../../domain/customer-service/visitor-store.ts";
import { visitorOfToken } from "../../domain/customer-service/visitor-tokens.ts";
import { bearerToken } from "../../platform/http/bearer-token.ts";
import { addressBlock } from "../../platform/http/client-address.ts";
import type { InSlices } from "../../platform/http/in-slices.ts";
import type { Owner } from "../../platform/limits/owner.ts";
import type { RouteParts } from "../common/parts.ts";
import {
  type AddResultRoute,
  type ResultApiParts,
  type ResultCall,
  type ResultRoute,
  resultApi,
} from "../common/result-route.ts";
import { admitOrigin, admitStranger, preflights, varyByOrigin } from "./cross-origin.ts";
import type { VisitorParts } from "./parts.ts";
import { type AddSiteRoute, siteRoutes } from "./site-route.ts";

/** A call of the widget's API. */
export interface WidgetCall<Body, Query, Params = unknown> extends ResultCall<Body, Query, Params> {
  /** Who calls. */
  visitor: VisitorRow;
}

/** One endpoint of the widget's API, and the parts that its handler needs. */
export interface WidgetRoute<E extends WidgetEndpoint<"visitor">, Parts = RouteParts> extends ResultRoute<E> {
  /** Throws when the visitor may not upload; runs before the file is received. */
  admit?: (ctx: Parts, visitor: VisitorRow) => Promise<void>;
  handle: (
    ctx: Parts,
    call: WidgetCall<EndpointBody<E>, EndpointQuery<E>, PathParams<E["path"]>>,
  ) => Promise<EndpointValue<E> | InSlices<EndpointValue<E>>>;
}

/** What it takes to receive visitors' calls. */
interface WidgetApiParts extends ResultApiParts, VisitorParts {}

/** Registers one route, whose handler needs no other parts than these. */
type AddWidgetRoute<Parts> = <E extends WidgetEndpoint<"visitor">>(route: WidgetRoute<E, Parts>) => void;

/**
 * Registers routes of the widget's API. The visitor and the origin are checked before any of the body is read, so that
 * the page can read every answer meant for it, and no other.
 */
export function widgetApi<Parts extends WidgetApiParts>(
  ctx: Parts,
  register: (add: AddWidgetRoute<Parts>, addForSites: AddSiteRoute<Parts>) => void,
) {
  return async (server: FastifyInstance) => {
    const methodsByUrl = new Map<string, string[]>();
    const noteMethod = ({ path, method }: WidgetEndpoint) => {
      methodsByUrl.set(path, [...(methodsByUrl.get(path) ?? []), method]);
    };
    await server.register(
      resultApi(ctx, (add) => register(adder(ctx, add, noteMethod), siteRoutes(ctx, add, noteMethod))),
    );
    await server.register(preflights(ctx, methodsByUrl));
  };
}

function adder<Parts extends WidgetApiParts>(
  ctx: Parts,
  add: AddResultRoute,
  noteMethod: (endpoint: WidgetEndpoint) => void,
): AddWidgetRoute<Parts> {
  const callers = {
    identify: (request: FastifyRequest, reply: FastifyReply) => {
      varyByOrigin(reply);
      return admittedVisitor(ctx, request, reply);
    },
    owner: ({ visitorId, appId, thirdUserId }: VisitorRow, { clientAddress }: FastifyRequest): Owner => ({
      type: "VISITOR",
      id: visitorId,
      within: appId,
      ...(isAnonymous(thirdUserId) && { anonymousAt: addressBlock(clientAddress) }),
    }),
  };
  return (route) => {
    noteMethod(route.endpoint);
    add(route, callers, {
      admit: async (visitor) => route.admit?.(ctx, visitor),
      handle: (visitor, call) => route.handle(ctx, { ...call, visitor }),
    });
  };
}

/**
 * The visitor of the request's token, calling from an allowed origin.
 *
 * @throws ApiError 400001 when the token is invalid, 400008 for another site, 400005 when the application is not
 * ACTIVE.
 */
async function admittedVisitor(ctx: VisitorParts, request: FastifyRequest, reply: FastifyReply): Promise<VisitorRow> {
  const visitor = await visitorOfToken(ctx.storage.db, bearerToken(request), ctx.clock.now());
  if (visitor === null) {
    await admitStranger(ctx, request, reply);
    throw new ApiError("VISITOR_NOT_SIGNED_IN");
  }
  await admitOrigin(ctx, visitor.appId, request, reply);
  await checkServing(ctx, visitor);
  return visitor;
}

/** @throws ApiError 400005 unless the visitor's application is ACTIVE. */
async function checkServing({ apps }: VisitorParts, { appId }: Pick<VisitorRow, "appId">): Promise<void> {
  const app = await apps.find(appId);
  if (app?.status !== "ACTIVE") throw new ApiError("APP_NOT_ACTIVE");
}
