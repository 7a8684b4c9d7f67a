import { randomBytes } from "node:crypto";
import { fault } from "@portico/protocol";
import { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import { hashOfToken } from "../../../domain/accounts/refresh-tokens.ts";
import { lockTenant } from "../../../domain/directory/tenant-store.ts";
import { insertScimToken, listScimTokens, MAX_SCIM_TOKENS } from "../../../domain/scim/token-store.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** POST operator/tenants/{tenantId}/scim-tokens: the token is shown this once, and only its hash is kept. */
export const createScimToken: ConsoleRoute<typeof OPERATOR_ENDPOINTS.createScimToken> = {
  endpoint: OPERATOR_ENDPOINTS.createScimToken,
  async handle({ storage, clock }, { audit, body, params }) {
    const { tenantId } = params;
    const token = `scim_${randomBytes(32).toString("base64url")}`;
    const created = { tokenId: `stk_${randomBytes(9).toString("base64url")}`, name: body.name, createdAt: clock.now() };
    await storage.write(async (tx) => {
      if ((await lockTenant(tx, tenantId)) === null) throw new ConsoleError("TENANT_NOT_FOUND");
      if ((await listScimTokens(tx, tenantId)).length >= MAX_SCIM_TOKENS) {
        throw new ConsoleError(fault("SCIM_TOKENS_TOO_MANY", { max: MAX_SCIM_TOKENS }));
      }
      await insertScimToken(tx, tenantId, created, hashOfToken(token));
      const { tokenId, name } = created;
      const target = `scim-token:${tokenId}`;
      await audit(tx, { action: "scim-token.create", target, tenantId, before: null, after: { name } });
    });
    return { ...created, token };
  },
};
