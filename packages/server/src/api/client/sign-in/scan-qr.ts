import { QrScannedSchema, QrTokenBodySchema } from "@portico/protocol/schemas";
import { scanQrLogin } from "../../../domain/accounts/qr-login.ts";
import type { ClientRoute } from "../../common/member-route.ts";

/** POST /api/client/v1/qr/scan: the member is then asked to confirm. */
export const scanQr: ClientRoute<typeof QrTokenBodySchema, never, typeof QrScannedSchema> = {
  method: "POST",
  url: "/api/client/v1/qr/scan",
  summary: "Scan the code of a sign-in to the console",
  body: QrTokenBodySchema,
  value: QrScannedSchema,
  handle: (ctx, { member, body }) => scanQrLogin(ctx, body.qrToken, member),
};
