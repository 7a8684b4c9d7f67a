import type { MemberTokens } from "../../domain/accounts/member-tokens.ts";
import type { PasswordHasher } from "../../domain/accounts/passwords.ts";
import type { AppParts, LimitParts, RequestLogParts } from "../common/console/console-parts.ts";
import type { ConsoleApiParts } from "../common/console/console-route.ts";
import type { LiveParts, RouteParts } from "../common/parts.ts";

/** To set somebody's password. */
export interface PasswordParts extends RouteParts {
  passwords: PasswordHasher;
}

/** What the operators' API needs. */
export interface OperatorContext
  extends ConsoleApiParts,
    AppParts,
    LimitParts,
    PasswordParts,
    LiveParts,
    RequestLogParts {
  memberTokens: MemberTokens;
}
