import type { DeveloperSessionParts } from "../../domain/accounts/developer-session.ts";
import type { PasswordSignIn } from "../../domain/accounts/password-sign-in.ts";
import type { PreviewParts } from "../../domain/cards/preview-card.ts";
import type { DeskParts } from "../../domain/customer-service/desk.ts";
import type { RedeliveryJobs } from "../../domain/webhooks/redelivery/redelivery-jobs.ts";
import type { Coordination } from "../../platform/coordination/coordination.ts";
import type { SecretBox } from "../../platform/crypto/secret-box.ts";
import type { AppParts, LimitParts, RequestLogParts } from "../common/console/console-parts.ts";
import type { ConsoleApiParts } from "../common/console/console-route.ts";
import type { EventParts, LiveParts, RouteParts } from "../common/parts.ts";

/** To sign a developer in. */
export interface DeveloperSignInParts extends DeveloperSessionParts {
  passwordSignIn: PasswordSignIn;
}

/** To make secrets, kept sealed. */
export interface SecretParts extends RouteParts {
  secretBox: SecretBox;
}

/** To change an application's credentials. */
export interface CredentialParts extends AppParts, LimitParts, SecretParts {}

/** To change and show subscriptions. */
export interface SubscriptionParts extends EventParts, SecretParts {
  coordination: Coordination;
}

/** To deliver events again. */
export interface RedeliveryParts extends EventParts {
  redeliveryJobs: RedeliveryJobs;
}

/** What the developers' API needs. */
export interface ConsoleContext
  extends ConsoleApiParts,
    DeveloperSignInParts,
    CredentialParts,
    PreviewParts,
    LiveParts,
    DeskParts,
    SubscriptionParts,
    RedeliveryParts,
    RequestLogParts {}
