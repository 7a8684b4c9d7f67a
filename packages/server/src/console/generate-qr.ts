import { QrLoginSchema } from "@portico/protocol/schemas";
import { LRUCache } from "lru-cache";
import { toDataURL } from "qrcode";
import { RateGate } from "../rate-gate.ts";
import { ConsoleError } from "./console-error.ts";
import type { ConsoleRoute } from "./console-route.ts";
import { beginQrLogin } from "./qr-login.ts";

/** Codes made in each second by this process, and of these for one network address; drawing one takes 6 ms. */
const PER_SECOND = 20;
const PER_SECOND_AND_ADDRESS = 10;
const MAX_ADDRESSES = 1_000;

/**
 * POST auth/qr/generate (spec.md, "Developer console API"). The code holds an address of this service with the token in its
 * fragment, which no server is sent and so none logs.
 */
export function generateQr(): ConsoleRoute<never, never, typeof QrLoginSchema> {
  const gate = new RateGate(PER_SECOND);
  const gates = new LRUCache<string, RateGate>({ max: MAX_ADDRESSES });
  return {
    method: "POST",
    url: "/auth/qr/generate",
    summary: "Begin a sign-in by QR code",
    access: "public",
    value: QrLoginSchema,
    async handle(ctx, { origin }) {
      const now = ctx.clock.now();
      const own = gates.get(origin.address) ?? new RateGate(PER_SECOND_AND_ADDRESS);
      gates.set(origin.address, own);
      if (!own.pass(now) || !gate.pass(now)) throw tooMany();
      const qrToken = await beginQrLogin(ctx);
      if (qrToken === null) throw tooMany();
      return { qrToken, qrImage: await toDataURL(`${ctx.config.baseUrl}/qr/login#token=${qrToken}`) };
    },
  };
}

function tooMany(): ConsoleError {
  return new ConsoleError(429, "二维码请求过多,请稍后再试", { retryAfterSeconds: 1 });
}
