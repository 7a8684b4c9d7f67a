import type { Logger } from "pino";
import type { DeveloperSessionParts } from "../../domain/accounts/developer-session.ts";
import type { OidcProviders } from "../../domain/accounts/oidc/providers.ts";
import type { PasswordSignIn } from "../../domain/accounts/password-sign-in.ts";
import type { CardParts } from "../../domain/cards/accept-card.ts";
import type { PreviewParts } from "../../domain/cards/preview-card.ts";
import type { DeskParts } from "../../domain/customer-service/at-desk.ts";
import type { DeskHub } from "../../domain/customer-service/desk-hub.ts";
import type { RedeliveryJobs } from "../../domain/webhooks/redelivery/redelivery-jobs.ts";
import type { SecretBox } from "../../platform/crypto/secret-box.ts";
import type { OwnerBounds } from "../../platform/limits/owner-bounds.ts";
import type { AppParts, LimitParts, RequestLogParts } from "../common/console/console-parts.ts";
import type { ConsoleApiParts } from "../common/console/console-route.ts";
import type { EventParts, LiveParts, RouteParts } from "../common/parts.ts";
import type { AccountParts } from "./account/routes.ts";

/** To sign a developer in with a password. */
export interface DeveloperSignInParts extends DeveloperSessionParts {
  passwordSignIn: PasswordSignIn;
  oidc: Pick<OidcProviders, "developers">;
}

/** To sign a developer in with a provider. */
export interface DeveloperOidcParts extends DeveloperSessionParts {
  log: Logger;
  oidc: Pick<OidcProviders, "developers">;
}

/** To make secrets, kept sealed. */
export interface SecretParts extends RouteParts {
  secretBox: SecretBox;
}

/** To change what agents' and visitors' streams show. */
export interface DeskLiveParts extends RouteParts {
  deskLive: DeskHub;
}

/** To deliver events again. */
export interface RedeliveryParts extends EventParts {
  redeliveryJobs: RedeliveryJobs;
}

/** To make an event up, which may tell of a message in the messenger. */
export interface TriggerParts extends EventParts, LiveParts, LimitParts {
  ownerBounds: OwnerBounds;
}

/** To have an application's calls and deliveries fail. */
export interface RehearsalParts extends AppParts, LimitParts {}

/** To send a card, which counts towards what its application may store. */
export interface SendToMeParts extends CardParts, LiveParts {
  ownerBounds: OwnerBounds;
}

/** What the developers' API needs. */
export interface ConsoleContext
  extends ConsoleApiParts,
    DeveloperSignInParts,
    DeveloperOidcParts,
    AccountParts,
    AppParts,
    LimitParts,
    SecretParts,
    PreviewParts,
    SendToMeParts,
    TriggerParts,
    RehearsalParts,
    DeskParts,
    RedeliveryParts,
    RequestLogParts {}
