import type { Enrolment } from "@portico/protocol";
import { toDataURL } from "qrcode";
import type { Db } from "../../../platform/storage/schema.ts";
import { type CodeCheckParts, stepOfFirstCode } from "./check-code.ts";
import { confirmFactor, factorOwner, putRecoveryCodes, putUnconfirmed } from "./factor-store.ts";
import { newRecoveryCodes } from "./recovery-codes.ts";
import { newTotpSecret, totpUri } from "./totp.ts";

/** Whose factor is set up, as their authenticator app names it. */
export interface Enrolled {
  developerId: string;
  phone: string;
}

/**
 * Stores a new secret that the first code has to confirm, in place of one that was not confirmed.
 *
 * @returns null when there is a confirmed one.
 */
export async function beginEnrolment(
  { clock, secretBox }: Pick<CodeCheckParts, "clock" | "secretBox">,
  tx: Db,
  { developerId, phone }: Enrolled,
): Promise<{ secret: string; uri: string } | null> {
  const secret = newTotpSecret();
  const box = secretBox.seal(secret, factorOwner(developerId));
  if (!(await putUnconfirmed(tx, { developerId, secretBox: box, now: clock.now() }))) return null;
  return { secret, uri: totpUri(secret, { issuer: "Portico", label: phone }) };
}

/** What is shown of a new secret. Drawing it takes some milliseconds, so it is not done in a transaction. */
export async function shown({ secret, uri }: { secret: string; uri: string }): Promise<Enrolment> {
  return { secret, uri, qrImage: await toDataURL(uri) };
}

/** Confirms a secret by its first code; the recovery codes, or null when the code is wrong. */
export async function confirmEnrolment(
  ctx: Pick<CodeCheckParts, "clock" | "secretBox">,
  tx: Db,
  { developerId, code }: { developerId: string; code: string },
): Promise<string[] | null> {
  const step = await stepOfFirstCode(ctx, tx, developerId, code);
  if (step === null || !(await confirmFactor(tx, { developerId, step, now: ctx.clock.now() }))) return null;
  const codes = newRecoveryCodes();
  await putRecoveryCodes(tx, developerId, codes);
  return codes;
}
