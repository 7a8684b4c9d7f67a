import { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import { exportMember as exportPage } from "../../../domain/persons/export-member.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { type ExportParts, exportCall } from "../../common/console/export-call.ts";
import { checkMember } from "./check-member.ts";

/** POST operator/tenants/{tenantId}/members/{userId}/export: a page of all that is stored about a member. */
export const exportMember: ConsoleRoute<typeof OPERATOR_ENDPOINTS.exportMember, ExportParts> = {
  endpoint: OPERATOR_ENDPOINTS.exportMember,
  async handle(ctx, { developer, params, body, audit }) {
    const { storage } = ctx;
    const { tenantId, userId } = params;
    await checkMember(storage.db, params);
    const target = `member:${userId}`;
    const change = { action: "member.export", target, tenantId, before: null, after: null };
    return await exportCall(ctx, {
      owner: { developerId: developer.developerId, target },
      cursor: body.cursor,
      begin: () => storage.write((tx) => audit(tx, change)),
      read: (place) => exportPage(storage.lists, { tenantId, userId }, place),
    });
  },
};
