import { ConsoleSessionListSchema } from "@portico/protocol/schemas";
import { listLogins } from "../../../domain/accounts/developer-login-store.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** GET sessions: the developer's own logins. */
export const readSessions: ConsoleRoute<never, never, typeof ConsoleSessionListSchema> = {
  method: "GET",
  url: "/sessions",
  summary: "List the developer's own logins",
  access: "developer",
  value: ConsoleSessionListSchema,
  async handle(ctx, { developer }) {
    const logins = await listLogins(ctx.storage.db, developer.developerId, ctx.clock.now());
    return { items: logins.map((login) => ({ ...login, current: login.sessionId === developer.sessionId })) };
  },
};
