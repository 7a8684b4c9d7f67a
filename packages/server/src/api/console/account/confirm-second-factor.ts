import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { confirmOwnFactor, type OwnFactorParts } from "../../../domain/accounts/second-factor/own-factor.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** POST me/second-factor/confirm: the first code turns it on. */
export const confirmSecondFactor: ConsoleRoute<typeof CONSOLE_ENDPOINTS.confirmSecondFactor, OwnFactorParts> = {
  endpoint: CONSOLE_ENDPOINTS.confirmSecondFactor,
  handle: async (ctx, call) => ({ recoveryCodes: await confirmOwnFactor(ctx, call, call.body) }),
};
