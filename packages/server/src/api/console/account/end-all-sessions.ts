import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { DEVELOPER_LOGINS } from "../../../domain/accounts/developer-login-store.ts";
import { endPendingOfDeveloper } from "../../../domain/accounts/pending-sign-ins.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { removeSessionCookies } from "../sign-in/session-cookies.ts";

/** DELETE sessions: ends all of the developer's logins in all processes at once. */
export const endAllSessions: ConsoleRoute<typeof CONSOLE_ENDPOINTS.endAllSessions> = {
  endpoint: CONSOLE_ENDPOINTS.endAllSessions,
  async handle(ctx, { developer, audit, reply }) {
    const { developerId } = developer;
    await ctx.storage.write(async (tx) => {
      await endPendingOfDeveloper(tx, developerId);
      await DEVELOPER_LOGINS.endAll(tx, developerId);
      const target = `developer:${developerId}`;
      await audit(tx, { action: "session.end-all", target, before: null, after: null });
    }, `logins of ${developerId}`);
    removeSessionCookies(reply);
    return null;
  },
};
