import { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import { listMemberIdentities as list } from "../../../domain/accounts/oidc/linked-identities.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { checkMember } from "./check-member.ts";

/** GET operator/tenants/{tenantId}/members/{userId}/identities. */
export const listMemberIdentities: ConsoleRoute<typeof OPERATOR_ENDPOINTS.listMemberIdentities> = {
  endpoint: OPERATOR_ENDPOINTS.listMemberIdentities,
  async handle({ storage }, { params }) {
    await checkMember(storage.db, params);
    return { items: await list(storage.db, params.userId) };
  },
};
