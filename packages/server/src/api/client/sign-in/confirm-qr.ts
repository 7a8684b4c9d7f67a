import { CLIENT_ENDPOINTS } from "@portico/protocol/endpoints";
import type { DeveloperSessionParts } from "../../../domain/accounts/developer-session.ts";
import { confirmQrLogin } from "../../../domain/accounts/qr-login.ts";
import type { ClientRoute } from "../../common/member-route.ts";

/** POST /api/client/v1/qr/confirm, by the member who scanned the code. */
export const confirmQr: ClientRoute<typeof CLIENT_ENDPOINTS.confirmQr, DeveloperSessionParts> = {
  endpoint: CLIENT_ENDPOINTS.confirmQr,
  async handle(ctx, { body, audit, ...signedIn }) {
    await confirmQrLogin(ctx, body.qrToken, signedIn, audit);
    return { status: "confirmed" };
  },
};
