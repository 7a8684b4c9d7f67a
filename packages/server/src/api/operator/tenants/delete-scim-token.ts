import { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import { deleteScimToken as remove } from "../../../domain/scim/token-store.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** DELETE operator/tenants/{tenantId}/scim-tokens/{tokenId}: its next call is refused. */
export const deleteScimToken: ConsoleRoute<typeof OPERATOR_ENDPOINTS.deleteScimToken> = {
  endpoint: OPERATOR_ENDPOINTS.deleteScimToken,
  async handle({ storage }, { audit, params }) {
    const { tenantId, tokenId } = params;
    await storage.write(async (tx) => {
      if (!(await remove(tx, tenantId, tokenId))) throw new ConsoleError("SCIM_TOKEN_NOT_FOUND");
      const target = `scim-token:${tokenId}`;
      await audit(tx, { action: "scim-token.delete", target, tenantId, before: null, after: null });
    });
    return null;
  },
};
