import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { toDataURL } from "qrcode";
import type { DeveloperSessionParts } from "../../../domain/accounts/developer-session.ts";
import { beginQrLogin } from "../../../domain/accounts/qr-login.ts";
import { addressBlock } from "../../../platform/http/client-address.ts";
import { KeyedRateLimiter } from "../../../platform/limits/keyed-rate-limiter.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** Sign-ins begun per second by this process, and of these by one network address; drawing a code takes 6 ms. */
const RATES = { perSecond: 20, perSecondAndKey: 10, maxKeys: 1_000 };

/**
 * POST auth/qr/generate (docs/contract/console.md). The picture contains a URL of this service with the code in the
 * fragment, which browsers send to no server, so no log contains it.
 */
export function generateQr(): ConsoleRoute<typeof CONSOLE_ENDPOINTS.generateQr, DeveloperSessionParts> {
  const gates = new KeyedRateLimiter(RATES);
  return {
    endpoint: CONSOLE_ENDPOINTS.generateQr,
    async handle(ctx, { origin }) {
      if (!gates.pass(addressBlock(origin.address), ctx.clock.now())) throw tooMany();
      const begun = await beginQrLogin(ctx, origin);
      if (begun === null) throw tooMany();
      return {
        qrToken: begun.token,
        qrImage: await toDataURL(`${ctx.config.baseUrl}/qr/login#token=${begun.code}`),
      };
    },
  };
}

function tooMany(): ConsoleError {
  return new ConsoleError("QR_CODES_TOO_MANY", { retryAfterSeconds: 1 });
}
