import { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import type { MemberTokens } from "../../../domain/accounts/member-tokens.ts";
import { progressOf } from "../../../domain/persons/erasure-steps.ts";
import { toErasure } from "../../../domain/persons/erasure-store.ts";
import { forgetMember } from "../../../domain/persons/forget-member.ts";
import type { MemberErasures } from "../../../domain/persons/member-erasures.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import type { LiveParts } from "../../common/parts.ts";

/** To erase members. */
export interface ErasureParts extends LiveParts {
  memberTokens: MemberTokens;
  memberErasures: Pick<MemberErasures, "wake">;
}

/**
 * POST operator/tenants/{tenantId}/members/{userId}/erase: from the answer on nobody can act as the member, and their name
 * is nowhere; what they have left is removed in the background, whatever becomes of this process.
 */
export const eraseMember: ConsoleRoute<typeof OPERATOR_ENDPOINTS.eraseMember, ErasureParts> = {
  endpoint: OPERATOR_ENDPOINTS.eraseMember,
  async handle(ctx, { audit, params }) {
    const { storage, clock, live, memberTokens, memberErasures } = ctx;
    const erasure = await storage.write((tx) => forgetMember(tx, storage.dialect, params, { audit, now: clock.now() }));
    if (erasure === null) throw new ConsoleError("MEMBER_NOT_FOUND");
    memberTokens.forget(params.userId);
    live.signedOut(params.userId);
    memberErasures.wake();
    return toErasure(erasure, await progressOf(storage.db, erasure));
  },
};
