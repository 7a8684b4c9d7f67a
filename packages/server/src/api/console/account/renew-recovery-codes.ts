import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { type OwnFactorParts, renewOwnRecoveryCodes } from "../../../domain/accounts/second-factor/own-factor.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** POST me/second-factor/recovery-codes: new ones, instead of all others. */
export const renewRecoveryCodes: ConsoleRoute<typeof CONSOLE_ENDPOINTS.renewRecoveryCodes, OwnFactorParts> = {
  endpoint: CONSOLE_ENDPOINTS.renewRecoveryCodes,
  handle: async (ctx, call) => ({ recoveryCodes: await renewOwnRecoveryCodes(ctx, call, call.body) }),
};
