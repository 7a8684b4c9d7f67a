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
import { addressBlock } from "../../../platform/http/client-address.ts";
import { discardBody } from "../../../platform/http/unread-bodies.ts";
import { KeyedRateLimiter } from "../../../platform/limits/keyed-rate-limiter.ts";
import { originOf } from "../call-origin.ts";
import type { RouteParts } from "../parts.ts";
import type { TokenCookie } from "../token-cookie.ts";
import { SIGN_IN_HEADERS, sendSignInProblem } from "./problem-page.ts";

/** Sign-ins by a provider that this process begins or ends per second, and of these from one network address. */
const RATES = { perSecond: 200, perSecondAndKey: 50, maxKeys: 10_000 };

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
  const gates = new KeyedRateLimiter(RATES);
  const { people, paths, home } = pages;
  const redirectUri = () => `${pages.baseUrl()}${paths.callback}`;

  async function start(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const provider = provided(pages);
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
    const redeemed = await provider.redeem(callback, flow);
    await pages.signIn({ ...redeemed, flow, origin: originOf(request) }, reply);
    await ctx.storage.synced();
    reply.header("set-cookie", pages.cookie.removed);
    return redirect(request, reply, flow.returnTo);
  }

  const answering = (handle: typeof start) => async (request: FastifyRequest, reply: FastifyReply) => {
    try {
      if (!gates.pass(addressBlock(request.clientAddress), ctx.clock.now()))
        throw new OidcProblem("TOO_MANY", "the rate");
      return await handle(request, reply);
    } catch (error) {
      const { trace } = request;
      trace.reason = error instanceof Error ? error.message : String(error);
      if (!(error instanceof OidcProblem)) trace.failure = error;
      return sendSignInProblem(request, reply, error instanceof OidcProblem ? error.problem : "FAILED", home);
    } finally {
      discardBody(request);
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
