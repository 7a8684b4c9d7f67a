import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { findDeveloperByPhone } from "../../../domain/accounts/developer-login-store.ts";
import { accountNameOf } from "../../../domain/accounts/developer-password.ts";
import { signInByPassword } from "../../../domain/accounts/second-factor/sign-in.ts";
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
    const caller = addressBlock(origin.address);
    const attempt = { lane: "console", account: accountNameOf(body), caller, password } as const;
    // Operators may, or a provider that is down would lock everybody out. Others are to the check as if they were not there,
    // so that its answer tells neither who is an operator nor whether a password is right.
    const isForOperators = ctx.oidc.developers?.settings.only === true;
    const found = await ctx.passwordSignIn.attempt(attempt, async () => {
      const developer = await findDeveloperByPhone(ctx.storage.db, channelId, phone);
      return isForOperators && !developer?.operator ? null : developer;
    });
    if (found === null) throw new ConsoleError(isForOperators ? "OPERATOR_LOGIN_WRONG" : "DEVELOPER_LOGIN_WRONG");
    const signedIn = await signInByPassword(ctx, found, origin);
    if ("second" in signedIn) return signedIn.second;
    setSessionCookies(ctx, signedIn.session, reply);
    return signedIn.session.login;
  },
};
