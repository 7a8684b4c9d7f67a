import type { Logger } from "pino";
import type { DeveloperSessionParts } from "../../domain/accounts/developer-session.ts";
import type { LoginParts } from "../../domain/accounts/logins.ts";
import type { MemberTokens } from "../../domain/accounts/member-tokens.ts";
import type { OidcProviders } from "../../domain/accounts/oidc/providers.ts";
import type { PasswordSignIn } from "../../domain/accounts/password-sign-in.ts";
import type { CardParts } from "../../domain/cards/accept-card.ts";
import type { ShownMessages } from "../../domain/conversations/shown/shown-messages.ts";
import type { AttachmentParts } from "../../domain/files/attachment.ts";
import type { CountedUploadParts } from "../../domain/files/counted-upload.ts";
import type { CodeParts } from "../../domain/mini-programs/codes.ts";
import type { Config } from "../../platform/config/config.ts";
import type { EventLoopTurns } from "../../platform/limits/event-loop-turns.ts";
import type { OwnerBounds } from "../../platform/limits/owner-bounds.ts";
import type { ClientApiParts } from "../common/member-route.ts";
import type { EventParts, LiveParts, SlicedParts } from "../common/parts.ts";
import type { OwnPasswordParts } from "./account/change-password.ts";

/** To sign a member in with a password. */
export interface MemberSignInParts extends LoginParts {
  config: Config;
  passwordSignIn: PasswordSignIn;
  oidc: Pick<OidcProviders, "members">;
}

/** To sign a member in with a provider. */
export interface MemberOidcParts extends LoginParts {
  config: Config;
  oidc: Pick<OidcProviders, "members">;
  memberTokens: MemberTokens;
}

/** To renew or end a login of a member's. */
export interface MemberSignOutParts extends LoginParts, LiveParts {
  config: Config;
}

/** To post a message. */
export interface PostParts extends LiveParts, EventParts, CardParts, AttachmentParts {
  ownerBounds: OwnerBounds;
}

/** To show what has been shown before without reading it again. */
export interface ShownParts extends SlicedParts {
  shown: ShownMessages;
}

/** What the members' API needs. */
export interface ClientContext
  extends ClientApiParts,
    MemberSignInParts,
    OwnPasswordParts,
    MemberOidcParts,
    DeveloperSessionParts,
    CodeParts,
    ShownParts,
    PostParts,
    CountedUploadParts {}

/** What members' streams need. */
export interface MemberStreamParts extends LiveParts {
  memberTokens: MemberTokens;
  log: Logger;
  /** Schedules the work that stream clients request. */
  turns: EventLoopTurns;
}
