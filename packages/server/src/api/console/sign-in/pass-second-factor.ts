import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { passSecondFactor as pass, type SecondFactorParts } from "../../../domain/accounts/second-factor/sign-in.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { setSessionCookies } from "./session-cookies.ts";

/** POST auth/second-factor: the second step of a sign-in, a code. */
export const passSecondFactor: ConsoleRoute<typeof CONSOLE_ENDPOINTS.passSecondFactor, SecondFactorParts> = {
  endpoint: CONSOLE_ENDPOINTS.passSecondFactor,
  async handle(ctx, { body, origin, reply }) {
    const session = await pass(ctx, body, origin);
    setSessionCookies(ctx, session, reply);
    return session.login;
  },
};
