import { SIGN_IN_PAGES } from "@portico/protocol/endpoints";
import { MEMBER_REFRESH_MS } from "../../../domain/accounts/member-session.ts";
import { OidcProblem } from "../../../domain/accounts/oidc/oidc-problem.ts";
import { signInMember } from "../../../domain/accounts/oidc/sign-in-member.ts";
import type { SignInPages } from "../../common/oidc/sign-in-pages.ts";
import { MEMBER_PICTURES, setPictureCookie } from "../../common/picture-cookie.ts";
import { TokenCookie } from "../../common/token-cookie.ts";
import type { MemberOidcParts } from "../parts.ts";
import { REFRESH_COOKIE } from "./refresh-cookie.ts";

const FLOW_COOKIE = new TokenCookie("portico_member_oidc", "/api/client/v1/auth/oidc", "Lax");

/** The sign-in of members with their company's provider. */
export function memberSignInPages(ctx: MemberOidcParts): SignInPages {
  const provider = ctx.oidc.members;
  const tenants = provider?.settings.tenants ?? [];
  return {
    people: "members",
    paths: SIGN_IN_PAGES.members,
    cookie: FLOW_COOKIE,
    home: "/messenger/",
    provider,
    baseUrl: () => ctx.config.baseUrl ?? "",
    tenantOf(named) {
      if (named === undefined) throw new OidcProblem("TENANT_MISSING", "no tenantId");
      if (tenants.includes(named)) return named;
      throw new OidcProblem("TENANT_REFUSED", `the provider does not speak for ${named}`);
    },
    async signIn(vouched, reply) {
      const setCookie = (cookie: string) => void reply.header("set-cookie", cookie);
      if (provider === null) throw new OidcProblem("OFF", "no provider is configured");
      const { user, isRenamed, ...given } = await signInMember(ctx, provider.settings, vouched);
      if (isRenamed) ctx.memberTokens.forget(user.userId);
      const { accessToken, expiresAt, refreshToken } = given;
      setCookie(REFRESH_COOKIE.holding(refreshToken, MEMBER_REFRESH_MS));
      setPictureCookie(ctx, MEMBER_PICTURES, { accessToken, expiresAt }, setCookie);
    },
  };
}
