import { ConsoleSessionListSchema } from "@portico/protocol/schemas";
import type { ConsoleRoute } from "./console-route.ts";
import { listLogins } from "./login-store.ts";

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
