import type { SignInMethods } from "@portico/protocol";
import { CONSOLE_ENDPOINTS, SIGN_IN_PAGES } from "@portico/protocol/endpoints";
import { mayUseQr } from "../../../domain/accounts/developer-of-member.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import type { DeveloperOidcParts } from "../parts.ts";

/** GET auth/methods: how developers may sign in. */
export const getSignInMethods: ConsoleRoute<typeof CONSOLE_ENDPOINTS.getSignInMethods, DeveloperOidcParts> = {
  endpoint: CONSOLE_ENDPOINTS.getSignInMethods,
  async handle({ oidc, config }): Promise<SignInMethods> {
    const provider = oidc.developers;
    if (provider === null) return { password: true, qr: true, oidc: null };
    const { name, only } = provider.settings;
    const base = config.consoleUrl ?? config.baseUrl ?? "http://localhost";
    const startUrl = new URL(SIGN_IN_PAGES.developers.start, base).href;
    return { password: !only, qr: mayUseQr(config), oidc: { startUrl, name } };
  },
};
