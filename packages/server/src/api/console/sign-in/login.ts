import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { findDeveloperByPhone } from "../../../domain/accounts/developer-login-store.ts";
import { startSession } from "../../../domain/accounts/developer-session.ts";
import { addressBlock } from "../../../platform/http/client-address.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import type { DeveloperSignInParts } from "../parts.ts";
import { setSessionCookies } from "./session-cookies.ts";

/** POST auth/login (docs/contract/console.md#signing-in). */
export const login: ConsoleRoute<typeof CONSOLE_ENDPOINTS.login, DeveloperSignInParts> = {
  endpoint: CONSOLE_ENDPOINTS.login,
  async handle(ctx, { body, origin, reply }) {
    const { channelId, phone, password } = body;
    // This form cannot collide with members' accounts.
    const account = JSON.stringify(["console", channelId, phone]);
    const caller = addressBlock(origin.address);
    const found = await ctx.passwordSignIn.attempt({ lane: "console", account, caller, password }, () =>
      findDeveloperByPhone(ctx.storage.db, channelId, phone),
    );
    if (found === null) throw new ConsoleError("DEVELOPER_LOGIN_WRONG");
    const session = await startSession(ctx, found.developerId, origin, found.passwordHash);
    setSessionCookies(ctx, session, reply);
    return session.login;
  },
};
