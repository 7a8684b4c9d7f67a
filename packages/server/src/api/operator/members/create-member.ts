import { fault } from "@portico/protocol";
import { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import { insertMember } from "../../../domain/directory/member-store.ts";
import { newId } from "../../../platform/crypto/new-id.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { newPasswordHash } from "../hash-password.ts";
import type { PasswordParts } from "../parts.ts";

/** POST operator/members: adds a member to the header's tenant. */
export const createMember: ConsoleRoute<typeof OPERATOR_ENDPOINTS.createMember, PasswordParts> = {
  endpoint: OPERATOR_ENDPOINTS.createMember,
  async handle(ctx, { audit, body, developer, tenantId }) {
    const { username, name = username, phone = null, password, userId = newId("u") } = body;
    const member = { userId, username, name, phone, disabled: false };
    const passwordHash = password === undefined ? null : await newPasswordHash(ctx, developer, password, member);
    await ctx.storage.write(async (tx) => {
      const taken = await insertMember(tx, tenantId, member, { passwordHash, now: ctx.clock.now() });
      if (taken !== null) throw refusalOf(taken, body);
      await audit(tx, {
        action: "member.create",
        target: `member:${userId}`,
        tenantId,
        before: null,
        after: { ...member, password: passwordHash === null ? "none" : "set" },
      });
    });
    return member;
  },
};

function refusalOf(
  taken: { username: string | null },
  { username, userId }: { username: string; userId?: string | undefined },
): ConsoleError {
  if (taken.username !== null && taken.username !== username) {
    return new ConsoleError(fault("USERNAME_TAKEN_IN_OTHER_CASE", { username: taken.username }));
  }
  return new ConsoleError(userId === undefined ? "USERNAME_TAKEN" : "USERNAME_OR_USER_ID_TAKEN");
}
