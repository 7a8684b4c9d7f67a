import { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import { insertDeveloper, putTenants } from "../../../domain/directory/developer-store.ts";
import { newId } from "../../../platform/crypto/new-id.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { newPasswordHash } from "../hash-password.ts";
import type { PasswordParts } from "../parts.ts";
import { checkTenants, readBack } from "./developer-state.ts";

/** POST operator/developers. */
export const createDeveloper: ConsoleRoute<typeof OPERATOR_ENDPOINTS.createDeveloper, PasswordParts> = {
  endpoint: OPERATOR_ENDPOINTS.createDeveloper,
  async handle(ctx, { audit, body, developer: actor }) {
    const { phone, channelId, name, password, tenants: named = [], operator = false } = body;
    const passwordHash = await newPasswordHash(ctx, actor, password, { phone, name });
    const developer = { developerId: newId("dev"), phone, channelId, name, operator, disabled: false };
    const { developerId } = developer;
    return await ctx.storage.write(async (tx) => {
      const tenants = await checkTenants(tx, named);
      if (!(await insertDeveloper(tx, developer, passwordHash))) {
        throw new ConsoleError("DEVELOPER_PHONE_TAKEN");
      }
      await putTenants(tx, developerId, tenants);
      await audit(tx, {
        action: "developer.create",
        target: `developer:${developerId}`,
        before: null,
        after: { ...developer, tenants, password: "set" },
      });
      return await readBack(tx, developerId);
    });
  },
};
