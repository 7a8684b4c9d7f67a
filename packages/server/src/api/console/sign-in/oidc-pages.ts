import { SIGN_IN_PAGES } from "@portico/protocol/endpoints";
import { OidcProblem } from "../../../domain/accounts/oidc/oidc-problem.ts";
import { signInDeveloper } from "../../../domain/accounts/oidc/sign-in-developer.ts";
import { CONSOLE_BASE } from "../../common/console/console-route.ts";
import type { SignInPages } from "../../common/oidc/sign-in-pages.ts";
import { TokenCookie } from "../../common/token-cookie.ts";
import type { DeveloperOidcParts } from "../parts.ts";
import { setSessionCookies } from "./session-cookies.ts";

const FLOW_COOKIE = new TokenCookie("portico_console_oidc", `${CONSOLE_BASE}/auth/oidc`, "Lax");

/** The sign-in of developers with their company's provider. */
export function developerSignInPages(ctx: DeveloperOidcParts): SignInPages {
  const provider = ctx.oidc.developers;
  return {
    people: "developers",
    paths: SIGN_IN_PAGES.developers,
    cookie: FLOW_COOKIE,
    home: "/console/",
    provider,
    baseUrl: () => ctx.config.consoleUrl ?? ctx.config.baseUrl ?? "",
    tenantOf: () => "",
    async signIn(vouched, reply) {
      if (provider === null) throw new OidcProblem("OFF", "no provider is configured");
      setSessionCookies(ctx, await signInDeveloper(ctx, provider.settings, vouched), reply);
    },
  };
}
