import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { disableOwnFactor, type OwnFactorParts } from "../../../domain/accounts/second-factor/own-factor.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** DELETE me/second-factor. */
export const disableSecondFactor: ConsoleRoute<typeof CONSOLE_ENDPOINTS.disableSecondFactor, OwnFactorParts> = {
  endpoint: CONSOLE_ENDPOINTS.disableSecondFactor,
  async handle(ctx, call) {
    await disableOwnFactor(ctx, call, call.body);
    return null;
  },
};
