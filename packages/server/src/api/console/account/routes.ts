import type { PasswordChangeParts } from "../../../domain/accounts/developer-password.ts";
import type { OwnFactorParts } from "../../../domain/accounts/second-factor/own-factor.ts";
import type { AddConsoleRoute } from "../../common/console/console-route.ts";
import { confirmAtSignIn } from "../sign-in/confirm-at-sign-in.ts";
import { enrolAtSignIn } from "../sign-in/enrol-at-sign-in.ts";
import { passSecondFactor } from "../sign-in/pass-second-factor.ts";
import { beginSecondFactor } from "./begin-second-factor.ts";
import { changePassword } from "./change-password.ts";
import { confirmSecondFactor } from "./confirm-second-factor.ts";
import { disableSecondFactor } from "./disable-second-factor.ts";
import { endAllSessions } from "./end-all-sessions.ts";
import { endOtherSessions } from "./end-other-sessions.ts";
import { getSecondFactor } from "./get-second-factor.ts";
import { listOwnIdentities } from "./list-own-identities.ts";
import { renewRecoveryCodes } from "./renew-recovery-codes.ts";
import { unlinkOwnIdentity } from "./unlink-own-identity.ts";

/** What the routes of one's own account need. */
export interface AccountParts extends OwnFactorParts, PasswordChangeParts {}

/** One's own password and second factor, and the second step of a sign-in. */
export function addAccountRoutes(add: AddConsoleRoute<AccountParts>): void {
  add(passSecondFactor);
  add(enrolAtSignIn);
  add(confirmAtSignIn);
  add(changePassword());
  add(endAllSessions);
  add(endOtherSessions);
  add(getSecondFactor);
  add(beginSecondFactor);
  add(confirmSecondFactor);
  add(renewRecoveryCodes);
  add(disableSecondFactor);
  add(listOwnIdentities);
  add(unlinkOwnIdentity);
}
