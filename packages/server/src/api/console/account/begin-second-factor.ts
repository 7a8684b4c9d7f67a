import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { beginOwnFactor, type OwnFactorParts } from "../../../domain/accounts/second-factor/own-factor.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** POST me/second-factor: makes a secret, which counts once it was confirmed. */
export const beginSecondFactor: ConsoleRoute<typeof CONSOLE_ENDPOINTS.beginSecondFactor, OwnFactorParts> = {
  endpoint: CONSOLE_ENDPOINTS.beginSecondFactor,
  handle: (ctx, call) => beginOwnFactor(ctx, call, call.body.password),
};
