import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { findDeveloper } from "../../../domain/directory/developer-store.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** GET me: the signed-in developer, and those of their tenants that the login may see. */
export const getMe: ConsoleRoute<typeof CONSOLE_ENDPOINTS.getMe> = {
  endpoint: CONSOLE_ENDPOINTS.getMe,
  async handle(ctx, { developer }) {
    const found = await findDeveloper(ctx.storage.db, developer.developerId);
    if (found === null) throw new Error("the developer who is signed in is not there");
    const { developerId, phone, channelId, name, operator, tenants } = found;
    const seen = tenants.filter(({ tenantId }) => developer.tenantId === null || tenantId === developer.tenantId);
    return { developerId, phone, channelId, name, operator: operator && developer.operator, tenants: seen };
  },
};
