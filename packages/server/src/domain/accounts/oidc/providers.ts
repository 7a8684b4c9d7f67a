import type { Clock } from "../../../platform/clock/clock.ts";
import type { Config } from "../../../platform/config/config.ts";
import type { DeveloperOidc, MemberOidc } from "../../../platform/config/oidc-settings.ts";
import { GuardedFetch, type GuardedFetchOptions } from "../../../platform/network/guarded-fetch.ts";
import { OidcProvider } from "./provider.ts";

/** The providers that people sign in with; null where there is none. */
export interface OidcProviders {
  members: OidcProvider<MemberOidc> | null;
  developers: OidcProvider<DeveloperOidc> | null;
}

/** The providers of the configuration. Nothing is asked of them before somebody signs in. */
export function openOidcProviders(
  { oidc }: Pick<Config, "oidc">,
  { lookup, ca }: Pick<GuardedFetchOptions, "lookup" | "ca">,
  clock: Clock,
): OidcProviders {
  const fetch = new GuardedFetch({ allowNetworks: oidc.allowNetworks, lookup, ca });
  return {
    members: oidc.members && new OidcProvider(oidc.members, { fetch, clock }),
    developers: oidc.developers && new OidcProvider(oidc.developers, { fetch, clock }),
  };
}
