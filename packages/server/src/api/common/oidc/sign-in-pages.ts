import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { randomNonce, randomPKCECodeVerifier, randomState } from "openid-client";
import type { CallOrigin } from "../../../domain/accounts/developer.ts";
import {
  FLOW_LIFE_MS,
  type Flow,
  type FlowPeople,
  isOwnPath,
  openFlow,
  sealFlow,
} from "../../../domain/accounts/oidc/flow.ts";
import { OidcProblem } from "../../../domain/accounts/oidc/oidc-problem.ts";
import type { OidcProvider, Redeemed } from "../../../domain/accounts/oidc/provider.ts";
import type { SecretBox } from "../../../platform/crypto/secret-box.ts";
import { addressSite } from "../../../platform/http/client-address.ts";
import { FairTurns } from "../../../platform/limits/fair-turns.ts";
import { growingLru } from "../../../platform/limits/growing-lru.ts";
import { RateLimiter } from "../../../platform/limits/rate-limiter.ts";
import { originOf } from "../call-origin.ts";
import type { RouteParts } from "../parts.ts";
import type { TokenCookie } from "../token-cookie.ts";
import { SIGN_IN_HEADERS, sendSignInProblem } from "./problem-page.ts";

/**
 * Sign-ins that one site may begin per second. There is no limit for all together, which a few sites could use up: to begin
 * one costs no more than any other page.
 */
const STARTS_PER_SECOND = 50;
/** The most sites remembered, by last use. */
const MAX_SITES = 10_000;
/**
 * What ends a sign-in asks the provider several times, so few do it at once, about 120 a second, and sites take turns. Those of
 * members and of developers together are fewer than the requests that may be under way.
 */
const ENDINGS = { atOnce: 24, leastMs: 200, maxWaiting: 500, maxWaitMs: 10_000 };

/** What signing in with a provider needs. */
export interface SignInPageParts extends RouteParts {
  secretBox: SecretBox;
}

/** The sign-in of one kind of people. */
export interface SignInPages {
  people: FlowPeople;
  paths: { readonly start: string; readonly callback: string };
  /** Keeps the flow in the browser that has begun it. */
  cookie: TokenCookie;
  /** The page to sign in at, and to go to in the end unless another is named. */
  home: string;
  /** Null: nobody signs in so. */
  provider: OidcProvider | null;
  /** The address of the host that has the pages, without a slash at its end. */
  baseUrl(): string;
  /** The tenant to sign in to; empty for developers. @throws OidcProblem when the provider does not speak for it. */
  tenantOf(named: string | undefined): string;
  /** Signs the person in, and sets the cookies of the login. @throws OidcProblem */
  signIn(signIn: Redeemed & { flow: Flow; origin: CallOrigin }, reply: Pick<FastifyReply, "header">): Promise<void>;
}

/**
 * The two addresses of a sign-in with a provider (OpenID Connect Core, section 3.1: authorization code flow), which browsers go
 * to and not programs: refusals are pages.
 */
export function signInPages(ctx: SignInPageParts, pages: SignInPages) {
  const starts = growingLru<RateLimiter>(MAX_SITES);
  const endings = new FairTurns(ENDINGS);
  const { people, paths, home } = pages;
  const redirectUri = () => `${pages.baseUrl()}${paths.callback}`;

  async function start(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const provider = provided(pages);
    if (!mayBegin(request)) throw new OidcProblem("TOO_MANY", "the rate of the site");
    const { returnTo = home, tenantId } = request.query as Record<string, unknown>;
    if (typeof returnTo !== "string" || !isOwnPath(returnTo)) {
      throw new OidcProblem("RETURN_PATH_INVALID", "returnTo is no path of this service");
    }
    const flow = {
      state: randomState(),
      nonce: randomNonce(),
      verifier: randomPKCECodeVerifier(),
      returnTo,
      tenantId: pages.tenantOf(typeof tenantId === "string" && tenantId !== "" ? tenantId : undefined),
      expiresAt: ctx.clock.now() + FLOW_LIFE_MS,
    };
    const address = await provider.authorizationUrl(flow, redirectUri());
    reply.header("set-cookie", pages.cookie.holding(sealFlow(ctx.secretBox, people, flow), FLOW_LIFE_MS));
    return redirect(request, reply, address.href);
  }

  async function end(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const provider = provided(pages);
    const flow = openFlow(ctx.secretBox, people, pages.cookie.tokenIn(request.headers.cookie ?? ""), ctx.clock.now());
    if (flow === null) throw new OidcProblem("FLOW_UNKNOWN", "no flow in a cookie");
    const { state } = request.query as Record<string, unknown>;
    if (state !== flow.state) throw new OidcProblem("STATE_WRONG", "another state than that of the flow");
    const callback = new URL(redirectUri());
    callback.search = URL.parse(request.raw.url ?? "", callback.href)?.search ?? "";
    // Only now: whoever has begun no sign-in must not take a turn from those who have.
    const ended = await endings.run(addressSite(request.clientAddress), reply.raw, async () => {
      const redeemed = await provider.redeem(callback, flow);
      await pages.signIn({ ...redeemed, flow, origin: originOf(request) }, reply);
      await ctx.storage.synced();
    });
    if (ended === null) throw new OidcProblem("TOO_MANY", "too many sign-ins end at once");
    reply.header("set-cookie", pages.cookie.removed);
    return redirect(request, reply, flow.returnTo);
  }

  function mayBegin(request: FastifyRequest): boolean {
    const site = addressSite(request.clientAddress);
    const own = starts.get(site) ?? new RateLimiter(STARTS_PER_SECOND);
    starts.set(site, own);
    return own.pass(ctx.clock.now());
  }

  const answering = (handle: typeof start) => async (request: FastifyRequest, reply: FastifyReply) => {
    try {
      return await handle(request, reply);
    } catch (error) {
      const { trace } = request;
      trace.reason = error instanceof Error ? error.message : String(error);
      if (!(error instanceof OidcProblem)) trace.failure = error;
      return sendSignInProblem(request, reply, error instanceof OidcProblem ? error.problem : "FAILED", home);
    }
  };
  return async (server: FastifyInstance) => {
    server.route({ method: "GET", url: paths.start, handler: answering(start) });
    server.route({ method: "GET", url: paths.callback, handler: answering(end) });
  };
}

function provided({ provider }: SignInPages): OidcProvider {
  if (provider === null) throw new OidcProblem("OFF", "no provider is configured");
  return provider;
}

function redirect(request: FastifyRequest, reply: FastifyReply, address: string): FastifyReply {
  request.trace.code = "page";
  return reply.headers(SIGN_IN_HEADERS).redirect(address, 302);
}
