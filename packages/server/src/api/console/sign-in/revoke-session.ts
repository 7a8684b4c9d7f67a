import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { endLoginOf } from "../../../domain/accounts/developer-login-store.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/**
 * DELETE sessions/{sessionId}: ends one of the developer's own logins in all processes at once; also the current one.
 */
export const revokeSession: ConsoleRoute<typeof CONSOLE_ENDPOINTS.revokeSession> = {
  endpoint: CONSOLE_ENDPOINTS.revokeSession,
  async handle(ctx, { developer, params, audit }) {
    const { sessionId } = params;
    await ctx.storage.write(async (tx) => {
      if (!(await endLoginOf(tx, developer.developerId, sessionId))) throw new ConsoleError("LOGIN_SESSION_NOT_FOUND");
      await audit(tx, { action: "session.revoke", target: `session:${sessionId}`, before: null, after: null });
    });
    return null;
  },
};
