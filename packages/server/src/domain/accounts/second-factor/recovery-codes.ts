import { hash, randomBytes } from "node:crypto";

const COUNT = 10;
/** Characters of a code: 80 random bits, so that a hash without salt and stretching cannot be reversed. */
const LENGTH = 16;
/** Crockford's Base32: no letters that look like digits. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const TOTP_CODE = /^\d{6}$/;
const RECOVERY_CODE = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);

/** What a person has typed as a code. */
export type TypedCode = { kind: "totp" | "recovery"; code: string };

/** New recovery codes, as they are shown: `xxxx-xxxx-xxxx-xxxx`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () => {
    const letters = Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join("");
    return letters.replace(/(.{4})(?!$)/g, "$1-");
  });
}

/** Reads a code as people type it: with blanks or hyphens, in capitals, with letters for digits. Null when it is none. */
export function readCode(text: string): TypedCode | null {
  const code = text.replace(/[\s-]/g, "").toLowerCase().replace(/o/g, "0").replace(/[il]/g, "1");
  if (TOTP_CODE.test(code)) return { kind: "totp", code };
  return RECOVERY_CODE.test(code) ? { kind: "recovery", code } : null;
}

/** How a recovery code is stored. The developer is part of it, so that equal codes of two people have different hashes. */
export function hashOfRecoveryCode(developerId: string, code: string): string {
  return hash("sha256", `${developerId} ${code.replaceAll("-", "")}`, "base64url");
}
