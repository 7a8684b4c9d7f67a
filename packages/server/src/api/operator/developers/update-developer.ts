import type { UpdateDeveloperBody } from "@portico/protocol";
import { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import { DEVELOPER_LOGINS } from "../../../domain/accounts/developer-login-store.ts";
import { putOperatorUntil } from "../../../domain/accounts/oidc/operator-lapse.ts";
import { endPendingOfDeveloper } from "../../../domain/accounts/pending-sign-ins.ts";
import { differencesOf } from "../../../domain/audit/differences.ts";
import {
  findDeveloper,
  lockDevelopers,
  putTenants,
  updateDeveloper as update,
} from "../../../domain/directory/developer-store.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { newPasswordHash } from "../hash-password.ts";
import type { PasswordParts } from "../parts.ts";
import { checkStillOperator, checkTenants, readBack, stateOf } from "./developer-state.ts";

/** PATCH operator/developers/{developerId}: a new password, or disabling the account, ends all logins. */
export const updateDeveloper: ConsoleRoute<typeof OPERATOR_ENDPOINTS.updateDeveloper, PasswordParts> = {
  endpoint: OPERATOR_ENDPOINTS.updateDeveloper,
  async handle(ctx, { audit, body, developer: actor, params }) {
    const { developerId } = params;
    const { password, ...said } = body;
    if (developerId === actor.developerId) checkOwnChange(body);
    const passwordHash =
      password === undefined
        ? undefined
        : await newPasswordHash(ctx, actor, password, await ownerOf(ctx, said, developerId));
    return await ctx.storage.write(async (tx) => {
      await lockDevelopers(tx, [actor.developerId, developerId]);
      await checkStillOperator(tx, actor.developerId);
      const developer = await findDeveloper(tx, developerId);
      if (developer === null) throw new ConsoleError("DEVELOPER_NOT_FOUND");
      const before = stateOf(developer);
      const tenants = said.tenants === undefined ? before.tenants : await checkTenants(tx, said.tenants);
      const differences = differencesOf(before, { ...said, tenants });
      if (differences === null && passwordHash === undefined) return developer;

      const after = { ...before, ...differences?.after };
      await update(tx, { developerId, ...after }, passwordHash);
      // What an operator decides does not end by itself.
      if (differences?.after.operator !== undefined) await putOperatorUntil(tx, developerId, null);
      if (differences?.after.tenants !== undefined) await putTenants(tx, developerId, tenants);
      if (after.disabled || passwordHash !== undefined) {
        await endPendingOfDeveloper(tx, developerId);
        await DEVELOPER_LOGINS.endAll(tx, developerId);
      }
      await audit(tx, {
        action: actionOf(before.disabled, after.disabled),
        target: `developer:${developerId}`,
        before: { ...differences?.before },
        after: { ...differences?.after, ...(passwordHash !== undefined && { password: "changed" }) },
      });
      return await readBack(tx, developerId);
    });
  },
};

/**
 * @throws ApiError 403: operators cannot disable or demote themselves, and nobody who has found a console open changes the
 * password of the operator who opened it.
 */
function checkOwnChange({ operator, disabled, password }: UpdateDeveloperBody): void {
  if (disabled === true) throw new ConsoleError("CANNOT_DISABLE_SELF");
  if (operator === false) throw new ConsoleError("CANNOT_DEMOTE_SELF");
  if (password !== undefined) throw new ConsoleError("CANNOT_SET_OWN_PASSWORD");
}

/** Whose password it is to be, as far as that is known. */
async function ownerOf({ storage }: PasswordParts, { name }: UpdateDeveloperBody, developerId: string) {
  const developer = await findDeveloper(storage.db, developerId);
  return { phone: developer?.phone, name: name ?? developer?.name };
}

function actionOf(wasDisabled: boolean, isDisabled: boolean): string {
  if (wasDisabled === isDisabled) return "developer.update";
  return isDisabled ? "developer.disable" : "developer.enable";
}
