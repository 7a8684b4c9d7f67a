import {
  BeginSecondFactorBodySchema,
  ConfirmSecondFactorBodySchema,
  ConsoleLoginSchema,
  EnrolledLoginSchema,
  EnrolmentSchema,
  RecoveryCodesSchema,
  SecondFactorProofBodySchema,
  SecondFactorSchema,
  SecondStepBodySchema,
  SecondStepEnrolBodySchema,
} from "../../schemas/index.ts";
import { type ConsoleEndpoint, NO_CONTENT } from "../console-endpoint.ts";

const WRONG_PASSWORD = ["PASSWORD_WRONG", "LOGIN_FAILURES_TOO_MANY", "LOGINS_TOO_MANY"] as const;
const WRONG_CODE = ["SECOND_FACTOR_WRONG", "LOGIN_FAILURES_TOO_MANY", "LOGINS_TOO_MANY"] as const;

/** The second factor of a developer: at a sign-in, and in one's own account (docs/contract/console.md#second-factor). */
export const SECOND_FACTOR_ENDPOINTS = {
  passSecondFactor: {
    method: "POST",
    path: "/api/open/console/v1/auth/second-factor",
    summary: "Second step of a sign-in: enter a code",
    access: "public",
    body: SecondStepBodySchema,
    value: ConsoleLoginSchema,
    errors: ["SIGN_IN_CHALLENGE_ENDED", ...WRONG_CODE],
  },
  enrolAtSignIn: {
    method: "POST",
    path: "/api/open/console/v1/auth/second-factor/enrol",
    summary: "Second step of a sign-in: begin to set a second factor up",
    access: "public",
    body: SecondStepEnrolBodySchema,
    value: EnrolmentSchema,
    errors: ["SIGN_IN_CHALLENGE_ENDED", "ENROL_NEEDS_PASSWORD"],
  },
  confirmAtSignIn: {
    method: "POST",
    path: "/api/open/console/v1/auth/second-factor/enrol/confirm",
    summary: "Second step of a sign-in: confirm the second factor by its first code",
    access: "public",
    body: SecondStepBodySchema,
    value: EnrolledLoginSchema,
    errors: ["SIGN_IN_CHALLENGE_ENDED", "ENROL_NEEDS_PASSWORD", ...WRONG_CODE],
  },
  getSecondFactor: {
    method: "GET",
    path: "/api/open/console/v1/me/second-factor",
    summary: "Whether the developer signs in with a second factor",
    access: "developer",
    value: SecondFactorSchema,
    errors: [],
  },
  beginSecondFactor: {
    method: "POST",
    path: "/api/open/console/v1/me/second-factor",
    summary: "Begin to set a second factor up",
    access: "developer",
    body: BeginSecondFactorBodySchema,
    value: EnrolmentSchema,
    errors: ["SECOND_FACTOR_ON", ...WRONG_PASSWORD],
  },
  confirmSecondFactor: {
    method: "POST",
    path: "/api/open/console/v1/me/second-factor/confirm",
    summary: "Turn the second factor on by its first code",
    access: "developer",
    body: ConfirmSecondFactorBodySchema,
    value: RecoveryCodesSchema,
    errors: ["SECOND_FACTOR_ON", "SECOND_FACTOR_OFF", ...WRONG_CODE],
  },
  renewRecoveryCodes: {
    method: "POST",
    path: "/api/open/console/v1/me/second-factor/recovery-codes",
    summary: "Replace the recovery codes",
    access: "developer",
    body: SecondFactorProofBodySchema,
    value: RecoveryCodesSchema,
    errors: ["SECOND_FACTOR_OFF", "SECOND_FACTOR_WRONG", ...WRONG_PASSWORD],
  },
  disableSecondFactor: {
    method: "DELETE",
    path: "/api/open/console/v1/me/second-factor",
    summary: "Turn the second factor off",
    access: "developer",
    body: SecondFactorProofBodySchema,
    value: NO_CONTENT,
    errors: ["SECOND_FACTOR_OFF", "SECOND_FACTOR_REQUIRED", "SECOND_FACTOR_WRONG", ...WRONG_PASSWORD],
  },
} as const satisfies Record<string, ConsoleEndpoint>;
