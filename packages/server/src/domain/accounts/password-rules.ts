import { ApiError, fault } from "@portico/protocol";
import type { Config } from "../../platform/config/config.ts";
import { isCommonPassword } from "./common-passwords.ts";

/** Whose password it is to be, as far as it is known. */
export interface PasswordOwner {
  name?: string | null;
  username?: string | null;
  phone?: string | null;
}

/** A password that has fewer characters beside the person's own names is little more than these. */
const LEAST_OF_ONES_OWN = 4;
/** Shorter names are in too many words. */
const LEAST_OF_NAMES = 3;

/**
 * Checks a new password by the rules of NIST SP 800-63B: a minimal length, none of the commonest, and not the person's own
 * name; nothing about kinds of characters.
 *
 * @throws ApiError 400 that names the rule.
 */
export function checkNewPassword(config: Pick<Config, "signIn">, password: string, owner: PasswordOwner): void {
  const broken = ruleBrokenBy(config, password, owner);
  if (broken !== null) throw new ApiError(broken);
}

/** The rule that a new password breaks; null when it will do. */
export function ruleBrokenBy({ signIn }: Pick<Config, "signIn">, password: string, owner: PasswordOwner) {
  const min = signIn.passwordMinLength;
  if ([...password].length < min) return fault("PASSWORD_TOO_SHORT", { min });
  if (isCommonPassword(password)) return "PASSWORD_COMMON";
  return isPersonal(password, owner) ? "PASSWORD_PERSONAL" : null;
}

function isPersonal(password: string, { name, username, phone }: PasswordOwner): boolean {
  const digits = phone?.replace(/\D/g, "");
  const own = [name, username, phone, digits, ...(name?.split(/\s+/) ?? [])]
    .filter((each) => each !== undefined && each !== null)
    .map((each) => each.toLowerCase())
    .filter((each) => [...each].length >= LEAST_OF_NAMES)
    .sort((a, b) => b.length - a.length);
  const rest = own.reduce((left, each) => left.replaceAll(each, ""), password.toLowerCase());
  return rest.length < password.length && [...rest].length < LEAST_OF_ONES_OWN;
}
