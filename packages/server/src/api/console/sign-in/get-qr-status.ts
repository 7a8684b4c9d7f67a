import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import type { DeveloperSessionParts } from "../../../domain/accounts/developer-session.ts";
import { pollQrLogin } from "../../../domain/accounts/qr-login.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { setSessionCookies } from "./session-cookies.ts";

/** GET auth/qr/status (docs/contract/console.md). An unknown token counts as expired. */
export const getQrStatus: ConsoleRoute<typeof CONSOLE_ENDPOINTS.getQrStatus, DeveloperSessionParts> = {
  endpoint: CONSOLE_ENDPOINTS.getQrStatus,
  async handle(ctx, { query, origin, reply }) {
    const { status, session } = await pollQrLogin(ctx, query.qrToken, origin);
    if (session !== null) setSessionCookies(ctx, session, reply);
    return status;
  },
};
