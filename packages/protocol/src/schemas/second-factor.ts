import type { Static } from "typebox";
import * as Type from "typebox";
import { ConsoleLoginSchema } from "./console.ts";
import { nullable, time } from "./parts.ts";
import { plainText } from "./plain-text.ts";

/** What the second step of a sign-in is: to enter a code, or to set a second factor up first. */
export const SIGN_IN_STEPS = ["code", "enrol"] as const;
export type SignInStep = (typeof SIGN_IN_STEPS)[number];

const challenge = plainText({ minLength: 1, maxLength: 128, description: "Of the first step" });
const code = plainText({
  minLength: 1,
  maxLength: 64,
  description: "Six digits of the authenticator app, or a recovery code",
});
const password = plainText({ minLength: 1, maxLength: 1_024, description: "The developer's own" });

/** What a sign-in answers when the first step is not enough. */
export const SecondStepSchema = Type.Object({
  secondFactor: Type.Object({
    challenge: Type.String({ description: "For the second step of this sign-in, and nothing else" }),
    step: Type.Enum([...SIGN_IN_STEPS], {
      description: "code: enter one; enrol: set a second factor up first, as the operator asks for one",
    }),
    expiresAt: time("When the sign-in has to begin anew"),
  }),
});
export type SecondStep = Static<typeof SecondStepSchema>;

/** Answer of `POST auth/login`: a login, or its second step. */
export const ConsoleSignInSchema = Type.Union([ConsoleLoginSchema, SecondStepSchema]);
export type ConsoleSignIn = Static<typeof ConsoleSignInSchema>;

/** Body of `POST auth/second-factor` and `POST auth/second-factor/enrol/confirm`. */
export const SecondStepBodySchema = Type.Object({ challenge, code });

/** Body of `POST auth/second-factor/enrol`. */
export const SecondStepEnrolBodySchema = Type.Object({ challenge });

/** A second factor that is to be confirmed by its first code. */
export const EnrolmentSchema = Type.Object({
  secret: Type.String({ description: "Base32, to be typed where no picture can be scanned" }),
  uri: Type.String({ description: "otpauth://totp/…" }),
  qrImage: Type.String({ description: "Data URL of a PNG with the uri" }),
});
export type Enrolment = Static<typeof EnrolmentSchema>;

/** Recovery codes, shown this once; each is good for one sign-in. */
export const RecoveryCodesSchema = Type.Object({ recoveryCodes: Type.Array(Type.String()) });

/** Answer of `POST auth/second-factor/enrol/confirm`: a login, and the recovery codes. */
export const EnrolledLoginSchema = Type.Object({
  ...ConsoleLoginSchema.properties,
  ...RecoveryCodesSchema.properties,
});

/** Answer of `GET me/second-factor`. */
export const SecondFactorSchema = Type.Object({
  enabledAt: nullable(time("Since when it is asked for; null while it is off")),
  recoveryCodesLeft: Type.Integer(),
  required: Type.Boolean({ description: "Whether the operator asks for one, so that it cannot be turned off" }),
});
export type SecondFactor = Static<typeof SecondFactorSchema>;

/** Body of `POST me/second-factor`. */
export const BeginSecondFactorBodySchema = Type.Object({ password });

/** Body of `POST me/second-factor/confirm`. */
export const ConfirmSecondFactorBodySchema = Type.Object({
  code,
  endOtherSessions: Type.Optional(
    Type.Boolean({ description: "Whether all other logins end, which began without it; left out: they stay" }),
  ),
});

/** Body of `DELETE me/second-factor` and `POST me/second-factor/recovery-codes`. */
export const SecondFactorProofBodySchema = Type.Object({ password, code });
