import { ApiError } from "@portico/protocol";
import { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import { DEVELOPER_LOGINS } from "../../../domain/accounts/developer-login-store.ts";
import { endPendingOfDeveloper } from "../../../domain/accounts/pending-sign-ins.ts";
import { deleteFactor } from "../../../domain/accounts/second-factor/factor-store.ts";
import { findDeveloper, lockDevelopers } from "../../../domain/directory/developer-store.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { checkStillOperator } from "./developer-state.ts";

/** DELETE operator/developers/{developerId}/second-factor: for who has lost it; ends all their logins. */
export const resetSecondFactor: ConsoleRoute<typeof OPERATOR_ENDPOINTS.resetSecondFactor> = {
  endpoint: OPERATOR_ENDPOINTS.resetSecondFactor,
  async handle(ctx, { audit, developer: actor, params }) {
    const { developerId } = params;
    if (developerId === actor.developerId) throw new ConsoleError("CANNOT_RESET_OWN_SECOND_FACTOR");
    await ctx.storage.write(async (tx) => {
      await lockDevelopers(tx, [actor.developerId, developerId]);
      await checkStillOperator(tx, actor.developerId);
      if ((await findDeveloper(tx, developerId)) === null) throw new ConsoleError("DEVELOPER_NOT_FOUND");
      if (!(await deleteFactor(tx, developerId))) throw new ApiError("SECOND_FACTOR_OFF");
      await endPendingOfDeveloper(tx, developerId);
      await DEVELOPER_LOGINS.endAll(tx, developerId);
      const target = `developer:${developerId}`;
      await audit(tx, { action: "second-factor.reset", target, before: null, after: null });
    });
    return null;
  },
};
