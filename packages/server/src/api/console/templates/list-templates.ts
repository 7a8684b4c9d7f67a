import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { countTemplates, listTemplates as list } from "../../../domain/cards/template-store.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** GET apps/{appId}/card-templates, without their cards. */
export const listTemplates: ConsoleRoute<typeof CONSOLE_ENDPOINTS.listTemplates> = {
  endpoint: CONSOLE_ENDPOINTS.listTemplates,
  async handle(ctx, call) {
    const { page = 1, pageSize = 20 } = call.query;
    const { db } = ctx.storage;
    const { appId } = call.app;
    const total = await countTemplates(db, appId);
    const items = await list(db, appId, { page, pageSize });
    return { items, total, page, pageSize };
  },
};
