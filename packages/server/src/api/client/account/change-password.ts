import { CLIENT_ENDPOINTS } from "@portico/protocol/endpoints";
import { changeOwnPassword, type MemberPasswordParts } from "../../../domain/accounts/member-password.ts";
import { PasswordChanges } from "../../../domain/accounts/password-changes.ts";
import type { ClientRoute } from "../../common/member-route.ts";
import type { LiveParts } from "../../common/parts.ts";

/** What it takes to change one's own password. */
export interface OwnPasswordParts extends MemberPasswordParts, LiveParts {}

/** PUT me/password: also ends all other logins with their streams, in all processes at once. */
export function changePassword(): ClientRoute<typeof CLIENT_ENDPOINTS.changePassword, OwnPasswordParts> {
  const changes = new PasswordChanges();
  return {
    endpoint: CLIENT_ENDPOINTS.changePassword,
    async handle(ctx, { member, body, address, accessToken, audit }) {
      await changes.run(member.userId, () => changeOwnPassword(ctx, member, { ...body, address, accessToken }, audit));
      ctx.live.signedOut(member.userId);
      return {};
    },
  };
}
