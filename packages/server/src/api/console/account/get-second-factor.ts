import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { type OwnFactorParts, ownFactor } from "../../../domain/accounts/second-factor/own-factor.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** GET me/second-factor. */
export const getSecondFactor: ConsoleRoute<typeof CONSOLE_ENDPOINTS.getSecondFactor, OwnFactorParts> = {
  endpoint: CONSOLE_ENDPOINTS.getSecondFactor,
  handle: (ctx, { developer }) => ownFactor(ctx, developer),
};
