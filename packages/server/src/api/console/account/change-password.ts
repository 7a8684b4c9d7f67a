import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { changeOwnPassword, type PasswordChangeParts } from "../../../domain/accounts/developer-password.ts";
import { PasswordChanges } from "../../../domain/accounts/password-changes.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** PUT me/password: also ends all other logins, in all processes at once. */
export function changePassword(): ConsoleRoute<typeof CONSOLE_ENDPOINTS.changePassword, PasswordChangeParts> {
  const changes = new PasswordChanges();
  return {
    endpoint: CONSOLE_ENDPOINTS.changePassword,
    async handle(ctx, { developer, body, origin, audit }) {
      await changes.run(developer.developerId, () => changeOwnPassword(ctx, developer, { ...body, origin }, audit));
      return null;
    },
  };
}
