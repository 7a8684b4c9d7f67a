import { CLIENT_ENDPOINTS } from "@portico/protocol/endpoints";
import type { DeveloperSessionParts } from "../../../domain/accounts/developer-session.ts";
import { scanQrLogin } from "../../../domain/accounts/qr-login.ts";
import type { ClientRoute } from "../../common/member-route.ts";

/** POST /api/client/v1/qr/scan: the client then asks the member to confirm. */
export const scanQr: ClientRoute<typeof CLIENT_ENDPOINTS.scanQr, DeveloperSessionParts> = {
  endpoint: CLIENT_ENDPOINTS.scanQr,
  handle: (ctx, { body, ...signedIn }) => scanQrLogin(ctx, body.qrToken, signedIn),
};
