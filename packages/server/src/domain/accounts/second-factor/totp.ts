import { Secret, TOTP } from "otpauth";

const SECRET_BYTES = 20;
const PERIOD_S = 30;
/** The steps before and after the present one whose codes are accepted: clocks differ, and people type slowly. */
const WINDOW = 1;
const SHAPE = { algorithm: "SHA1", digits: 6, period: PERIOD_S } as const;

/** A new secret for an authenticator app, in Base32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** What an authenticator app scans: `otpauth://totp/…`. */
export function totpUri(secret: string, { issuer, label }: { issuer: string; label: string }): string {
  return totpOf(secret, { issuer, label }).toString();
}

/**
 * The time step whose code this is (RFC 6238), of those that are accepted now; null when it is none of theirs.
 *
 * @param now epoch milliseconds.
 */
export function timeStepOf(secret: string, code: string, now: number): number | null {
  const delta = totpOf(secret).validate({ token: code, timestamp: now, window: WINDOW });
  return delta === null ? null : Math.floor(now / 1_000 / PERIOD_S) + delta;
}

function totpOf(secret: string, shown: { issuer?: string; label?: string } = {}): TOTP {
  return new TOTP({ ...SHAPE, ...shown, secret: Secret.fromBase32(secret) });
}
