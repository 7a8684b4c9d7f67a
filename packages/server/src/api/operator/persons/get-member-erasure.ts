import { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import { progressOf } from "../../../domain/persons/erasure-steps.ts";
import { findErasure, toErasure } from "../../../domain/persons/erasure-store.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { checkMember } from "./check-member.ts";

/** GET operator/tenants/{tenantId}/members/{userId}/erasure. */
export const getMemberErasure: ConsoleRoute<typeof OPERATOR_ENDPOINTS.getMemberErasure> = {
  endpoint: OPERATOR_ENDPOINTS.getMemberErasure,
  async handle({ storage }, { params }) {
    const { tenantId, userId } = params;
    await checkMember(storage.db, params);
    const erasure = await findErasure(storage.db, tenantId, userId);
    if (erasure === null) throw new ConsoleError("MEMBER_NOT_ERASED");
    return toErasure(erasure, await progressOf(storage.db, erasure));
  },
};
