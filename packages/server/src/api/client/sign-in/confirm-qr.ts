import { QrConfirmedSchema, QrTokenBodySchema } from "@portico/protocol/schemas";
import { confirmQrLogin } from "../../../domain/accounts/qr-login.ts";
import type { ClientRoute } from "../../common/member-route.ts";

/** POST /api/client/v1/qr/confirm: by the member who has scanned it. */
export const confirmQr: ClientRoute<typeof QrTokenBodySchema, never, typeof QrConfirmedSchema> = {
  method: "POST",
  url: "/api/client/v1/qr/confirm",
  summary: "Confirm a sign-in to the console as the developer with the member's phone number",
  body: QrTokenBodySchema,
  value: QrConfirmedSchema,
  async handle(ctx, { member, body, audit }) {
    await confirmQrLogin(ctx, body.qrToken, member, audit);
    return { status: "confirmed" };
  },
};
