import type { SignInMethods } from "@portico/protocol";
import { CLIENT_ENDPOINTS, SIGN_IN_PAGES } from "@portico/protocol/endpoints";
import { isOnlyTenant } from "../../../domain/directory/tenant-store.ts";
import type { ClientRoute } from "../../common/member-route.ts";
import type { MemberOidcParts } from "../parts.ts";

/**
 * GET auth/methods: how the members of a tenant may sign in. Of a tenant that does not exist it says the same as of one
 * without a provider.
 */
export const getSignInMethods: ClientRoute<typeof CLIENT_ENDPOINTS.getSignInMethods, MemberOidcParts> = {
  endpoint: CLIENT_ENDPOINTS.getSignInMethods,
  async handle({ oidc, config, storage }, { query }): Promise<SignInMethods> {
    const provider = oidc.members;
    const tenants = provider?.settings.tenants ?? [];
    const tenantId = query.tenantId ?? (tenants.length === 1 ? tenants[0] : undefined);
    if (provider === null || tenantId === undefined || !tenants.includes(tenantId)) {
      return { password: true, qr: false, oidc: null };
    }
    const { name, only } = provider.settings;
    const startUrl = new URL(SIGN_IN_PAGES.members.start, config.baseUrl ?? "http://localhost");
    startUrl.searchParams.set("tenantId", tenantId);
    // Somebody who names no tenant may be of another one, unless there is none.
    const isSure = query.tenantId !== undefined || (only && (await isOnlyTenant(storage.db, tenantId)));
    return { password: !(only && isSure), qr: false, oidc: { startUrl: startUrl.href, name } };
  },
};
