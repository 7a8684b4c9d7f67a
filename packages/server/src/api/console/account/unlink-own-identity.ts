import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { endOtherLogins, findOwnAccount, lockForLogin } from "../../../domain/accounts/developer-login-store.ts";
import { isLastingOperator, unlinkDeveloperIdentity } from "../../../domain/accounts/oidc/linked-identities.ts";
import { endPendingOfDeveloper } from "../../../domain/accounts/pending-sign-ins.ts";
import type { Config } from "../../../platform/config/config.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import type { RouteParts } from "../../common/parts.ts";

interface UnlinkParts extends RouteParts {
  config: Pick<Config, "oidc">;
}

/**
 * DELETE me/identities/{identityId}: whoever it is at the provider does not sign in as the developer any more; other logins
 * end, since any may be theirs. Refused to who could not sign in themselves then.
 */
export const unlinkOwnIdentity: ConsoleRoute<typeof CONSOLE_ENDPOINTS.unlinkOwnIdentity, UnlinkParts> = {
  endpoint: CONSOLE_ENDPOINTS.unlinkOwnIdentity,
  async handle({ storage, config }, { developer, params, audit }) {
    const { developerId, sessionId } = developer;
    await storage.write(async (tx) => {
      await lockForLogin(tx, developerId);
      const account = await findOwnAccount(tx, developerId);
      const unlinked = await unlinkDeveloperIdentity(tx, developerId, params.identityId);
      if (unlinked === null) throw new ConsoleError("IDENTITY_NOT_FOUND");
      // An operator by the provider's word is none any more when that has lapsed.
      const mayUsePassword = !config.oidc.developers?.only || (await isLastingOperator(tx, developerId));
      if (!account?.passwordHash || !mayUsePassword) throw new ConsoleError("IDENTITY_IS_ONLY_WAY_IN");
      await endPendingOfDeveloper(tx, developerId);
      await endOtherLogins(tx, developerId, sessionId);
      const { issuer, subject } = unlinked;
      const target = `developer:${developerId}`;
      await audit(tx, { action: "developer.unlink", target, before: { issuer, subject }, after: null });
    }, `logins of ${developerId}`);
    return null;
  },
};
