import { ApiError, type Member } from "@portico/protocol";
import type {
  EndpointBody,
  EndpointQuery,
  EndpointValue,
  MemberEndpoint,
  PathParams,
} from "@portico/protocol/endpoints";
import type { FastifyRequest } from "fastify";
import type { MemberTokens } from "../../domain/accounts/member-tokens.ts";
import { type Change, recordChange } from "../../domain/audit/audit-store.ts";
import { bearerToken } from "../../platform/http/bearer-token.ts";
import type { InSlices } from "../../platform/http/in-slices.ts";
import type { Db } from "../../platform/storage/schema.ts";
import { isFromOtherSite } from "./call-origin.ts";
import type { RouteParts } from "./parts.ts";
import {
  type AddResultRoute,
  type ResultApiParts,
  type ResultCall,
  type ResultRoute,
  resultApi,
} from "./result-route.ts";

/** What it takes to receive members' calls. */
export interface ClientApiParts extends ResultApiParts, RouteParts {
  memberTokens: MemberTokens;
}

/** A call of the members' client API. */
export interface ClientCall<Body, Query, Params = unknown> extends ResultCall<Body, Query, Params> {
  /** The caller; an empty placeholder for calls without sign-in. */
  member: Member;
  /** By which they are signed in; empty for calls without sign-in. */
  accessToken: string;
  /** Writes a change to the audit log; call it in the same transaction as the change. */
  audit(tx: Db, change: Change): Promise<void>;
}

/** One endpoint of the members' client API, and the parts that its handler needs. */
export interface ClientRoute<E extends MemberEndpoint, Parts = RouteParts> extends ResultRoute<E> {
  /** Throws when the caller may not upload; runs before the file is received. */
  admit?: (ctx: Parts, member: Member) => Promise<void>;
  handle: (
    ctx: Parts,
    call: ClientCall<EndpointBody<E>, EndpointQuery<E>, PathParams<E["path"]>>,
  ) => Promise<EndpointValue<E> | InSlices<EndpointValue<E>>>;
}

/** Registers one route, whose handler needs no other parts than these. */
type AddClientRoute<Parts> = <E extends MemberEndpoint>(route: ClientRoute<E, Parts>) => void;

/** A caller, and the token that names them. */
interface Caller {
  member: Member;
  accessToken: string;
}

const NOBODY: Caller = { member: { userId: "", username: "", name: "", tenantId: "" }, accessToken: "" };

/** Registers routes of the client API. */
export function clientApi<Parts extends ClientApiParts>(ctx: Parts, register: (add: AddClientRoute<Parts>) => void) {
  return resultApi(ctx, (add) => register(adder(ctx, add)));
}

function adder<Parts extends ClientApiParts>(ctx: Parts, add: AddResultRoute): AddClientRoute<Parts> {
  return (route) => {
    const isPublic = route.endpoint.access === "public";
    const callers = {
      identify: async (request: FastifyRequest) => {
        if (!isPublic) return await signedInMember(ctx, request);
        if (isFromOtherSite(request)) throw new ApiError("CROSS_SITE_CALL");
        return NOBODY;
      },
      owner: ({ member: { userId, tenantId } }: Caller) =>
        userId === NOBODY.member.userId ? null : ({ type: "MEMBER", id: userId, within: tenantId } as const),
    };
    add(route, callers, {
      admit: async ({ member }) => route.admit?.(ctx, member),
      handle: ({ member, accessToken }, call) => {
        const actor = { type: "MEMBER", id: member.userId, address: call.address } as const;
        const audit = (tx: Db, change: Change) => recordChange(tx, actor, change, ctx.clock.now());
        return route.handle(ctx, { ...call, member, accessToken, audit });
      },
    });
  };
}

/**
 * The member of the request's Bearer token.
 *
 * @throws ApiError 400001 when the token is missing, unknown or expired.
 */
async function signedInMember({ memberTokens }: ClientApiParts, request: FastifyRequest): Promise<Caller> {
  const accessToken = bearerToken(request);
  const member = await memberTokens.memberOf(accessToken);
  if (member === null) throw new ApiError("NOT_SIGNED_IN");
  return { member, accessToken };
}
