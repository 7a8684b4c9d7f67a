import { ApiError } from "@portico/protocol";
import type { Clock } from "../../../platform/clock/clock.ts";
import type { SecretBox } from "../../../platform/crypto/secret-box.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import { type LoginThrottle, tooMany } from "../login-throttle.ts";
import { factorOwner, findFactor, putFailures, useRecoveryCode, useTimeStep } from "./factor-store.ts";
import { readCode, type TypedCode } from "./recovery-codes.ts";
import { timeStepOf } from "./totp.ts";

const DAY_MS = 86_400_000;
/** The most wrong codes of the app in a day. A right one does not clear them, or a patient guesser would never be stopped. */
const MAX_FAILURES_A_DAY = 30;

/** What it takes to check codes. */
export interface CodeCheckParts {
  clock: Clock;
  secretBox: SecretBox;
  loginThrottle: LoginThrottle;
}

/**
 * Checks a code of a developer within the limits of failed sign-ins, which are counted apart from those of passwords: who
 * knows the password must not be able to clear them. Recovery codes are outside of them: nobody guesses 80 bits, and who
 * uses the limits up must not shut the owner out.
 *
 * @param check null for a wrong code.
 * @throws ApiError 403 when the code is wrong, 429 after too many wrong ones.
 */
export async function withinLimits<Value>(
  { clock, loginThrottle }: CodeCheckParts,
  { developerId, code }: { developerId: string; code: string },
  check: () => Promise<Value | null>,
): Promise<Value> {
  const name = JSON.stringify(["console second factor", developerId]);
  const isRecovery = readCode(code)?.kind === "recovery";
  const value = await (isRecovery ? check() : loginThrottle.attempt(name, clock.now(), check));
  if (value === null) throw new ApiError("SECOND_FACTOR_WRONG");
  return value;
}

/**
 * Uses a code of a developer's confirmed factor up; null when it is wrong or has been used. The developer's row is locked.
 *
 * @throws ApiError 429 after too many wrong ones of the app in a day.
 */
export async function useCode(
  { clock, secretBox }: Pick<CodeCheckParts, "clock" | "secretBox">,
  tx: Db,
  developerId: string,
  text: string,
): Promise<TypedCode["kind"] | null> {
  const typed = readCode(text);
  if (typed === null) return null;
  const { kind, code } = typed;
  if (kind === "recovery") return (await useRecoveryCode(tx, developerId, code)) ? kind : null;
  const factor = await findFactor(tx, developerId);
  if (factor === null || factor.confirmedAt === null) return null;
  const now = clock.now();
  const isSameDay = factor.failuresSince > now - DAY_MS;
  const failures = isSameDay ? factor.failures : 0;
  const failuresSince = isSameDay ? factor.failuresSince : now;
  if (failures >= MAX_FAILURES_A_DAY) throw tooMany("LOGIN_FAILURES_TOO_MANY", failuresSince + DAY_MS - now);
  const step = timeStepOf(secretBox.open(factor.secretBox, factorOwner(developerId)), code, now);
  if (step !== null && (await useTimeStep(tx, developerId, step))) return kind;
  await putFailures(tx, developerId, { failures: failures + 1, failuresSince });
  return null;
}

/** The time step of the first code of a factor that is not confirmed; null when the code is wrong, or there is none. */
export async function stepOfFirstCode(
  { clock, secretBox }: Pick<CodeCheckParts, "clock" | "secretBox">,
  tx: Db,
  developerId: string,
  text: string,
): Promise<number | null> {
  const typed = readCode(text);
  const factor = await findFactor(tx, developerId);
  if (typed?.kind !== "totp" || factor === null || factor.confirmedAt !== null) return null;
  return timeStepOf(secretBox.open(factor.secretBox, factorOwner(developerId)), typed.code, clock.now());
}
