import type { Static } from "typebox";
import * as Type from "typebox";
import { ConsoleLoginSchema } from "./console.ts";
import { plainText } from "./plain-text.ts";
import { SecondStepSchema } from "./second-factor.ts";

/** The states of a QR sign-in. */
export const QR_STATUSES = ["pending", "scanned", "confirmed", "expired"] as const;

const qrToken = plainText({ minLength: 1, maxLength: 128 });
const expireIn = Type.Integer({ minimum: 0, description: "Seconds until the token expires" });

/** Answer of `POST auth/qr/generate`. */
export const QrLoginSchema = Type.Object({
  qrToken: Type.String(),
  qrImage: Type.String({ description: "Data URL of a PNG" }),
});

/** Query of `GET auth/qr/status`. */
export const QrStatusQuerySchema = Type.Object({ qrToken });

/**
 * Answer of `GET auth/qr/status`. Once, after the confirmation, it includes the answer of a login, with the refresh
 * token as a cookie; or the second step, where one is asked for.
 */
export const QrStatusSchema = Type.Object({
  status: Type.Enum([...QR_STATUSES]),
  expireIn,
  ...Type.Partial(ConsoleLoginSchema).properties,
  ...Type.Partial(SecondStepSchema).properties,
});
export type QrStatus = Static<typeof QrStatusSchema>;

/** Body of the messenger's `POST qr/scan` and `POST qr/confirm`. */
export const QrTokenBodySchema = Type.Object({ qrToken });

/** `value` of `POST qr/scan`: the details that the member is asked to confirm. */
export const QrScannedSchema = Type.Object({
  status: Type.Literal("scanned"),
  expireIn,
  developer: Type.Object({ developerId: Type.String(), name: Type.String(), channelId: Type.Integer() }),
  origin: Type.Object(
    { address: Type.String({ description: "Network address" }), userAgent: Type.String() },
    {
      description:
        "Where the sign-in was begun, to be shown: whoever is sent a code should see that it is not their own",
    },
  ),
});
export type QrScanned = Static<typeof QrScannedSchema>;

/** `value` of `POST qr/confirm`. */
export const QrConfirmedSchema = Type.Object({ status: Type.Literal("confirmed") });
export type QrConfirmed = Static<typeof QrConfirmedSchema>;

/** Answer of `GET me`. */
export const MeSchema = Type.Object({
  developerId: Type.String(),
  phone: Type.String(),
  channelId: Type.Integer(),
  name: Type.String(),
  operator: Type.Boolean(),
  tenants: Type.Array(Type.Object({ tenantId: Type.String(), name: Type.String() })),
});
