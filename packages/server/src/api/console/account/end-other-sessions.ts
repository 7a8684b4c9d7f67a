import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { endOtherLogins } from "../../../domain/accounts/developer-login-store.ts";
import { endPendingOfDeveloper } from "../../../domain/accounts/pending-sign-ins.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** POST sessions/end-others: ends all of the developer's logins but this one, in all processes at once. */
export const endOtherSessions: ConsoleRoute<typeof CONSOLE_ENDPOINTS.endOtherSessions> = {
  endpoint: CONSOLE_ENDPOINTS.endOtherSessions,
  async handle(ctx, { developer: { developerId, sessionId }, audit }) {
    await ctx.storage.write(async (tx) => {
      await endPendingOfDeveloper(tx, developerId);
      await endOtherLogins(tx, developerId, sessionId);
      const target = `developer:${developerId}`;
      await audit(tx, { action: "session.end-others", target, before: null, after: null });
    }, `logins of ${developerId}`);
    return null;
  },
};
