import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { listLogins } from "../../../domain/accounts/developer-login-store.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** GET sessions: the developer's own logins. */
export const listSessions: ConsoleRoute<typeof CONSOLE_ENDPOINTS.listSessions> = {
  endpoint: CONSOLE_ENDPOINTS.listSessions,
  async handle(ctx, { developer }) {
    const logins = await listLogins(ctx.storage.db, developer.developerId, ctx.clock.now());
    return { items: logins.map((login) => ({ ...login, current: login.sessionId === developer.sessionId })) };
  },
};
