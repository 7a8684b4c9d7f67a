import { QrStatusQuerySchema, QrStatusSchema } from "@portico/protocol/schemas";
import { pollQrLogin } from "../../../domain/accounts/qr-login.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { refreshCookie } from "./refresh-cookie.ts";

/**
 * GET auth/qr/status (docs/contract/console.md). A token that is nobody's has expired, for all that is known of it.
 */
export const readQrStatus: ConsoleRoute<never, typeof QrStatusQuerySchema, typeof QrStatusSchema> = {
  method: "GET",
  url: "/auth/qr/status",
  summary: "Ask how far a sign-in by QR code is; once it is confirmed, this signs in",
  access: "public",
  query: QrStatusQuerySchema,
  value: QrStatusSchema,
  async handle(ctx, { query, origin, reply }) {
    const { status, session } = await pollQrLogin(ctx, query.qrToken, origin);
    if (session !== null) {
      reply.header("set-cookie", refreshCookie(session.refreshToken, ctx.config.console.refreshTtlMs));
    }
    return status;
  },
};
