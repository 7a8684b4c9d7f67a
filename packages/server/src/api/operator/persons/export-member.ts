import { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import { exportMember as exportPage } from "../../../domain/persons/export-member.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { checkMember } from "./check-member.ts";

/** POST operator/tenants/{tenantId}/members/{userId}/export: a page of all that is stored about a member. */
export const exportMember: ConsoleRoute<typeof OPERATOR_ENDPOINTS.exportMember> = {
  endpoint: OPERATOR_ENDPOINTS.exportMember,
  async handle({ storage }, { params, body, audit }) {
    const { tenantId, userId } = params;
    await checkMember(storage.db, params);
    // The first page is what was asked for; the others are the rest of it.
    if (body.cursor === undefined) {
      const change = { action: "member.export", target: `member:${userId}`, tenantId, before: null, after: null };
      await storage.write((tx) => audit(tx, change));
    }
    return await exportPage(storage.lists, { tenantId, userId }, body.cursor);
  },
};
