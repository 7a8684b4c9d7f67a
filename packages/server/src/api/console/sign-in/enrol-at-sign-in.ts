import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { enrolAtSignIn as enrol, type SecondFactorParts } from "../../../domain/accounts/second-factor/sign-in.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** POST auth/second-factor/enrol: the second step of a sign-in where a second factor has to be set up. */
export const enrolAtSignIn: ConsoleRoute<typeof CONSOLE_ENDPOINTS.enrolAtSignIn, SecondFactorParts> = {
  endpoint: CONSOLE_ENDPOINTS.enrolAtSignIn,
  handle: (ctx, { body }) => enrol(ctx, body.challenge),
};
