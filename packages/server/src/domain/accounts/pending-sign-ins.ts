import type { Db } from "../../platform/storage/schema.ts";
import { voidQrLogins } from "./qr-login-store.ts";
import { deleteChallengesOf, deleteQrChallengesOf } from "./second-factor/challenge-store.ts";

/*
 * Sign-ins that have begun and not led to a login yet: codes that a member has scanned, and first steps that wait for a
 * second one. They end wherever logins end, or a thief could keep one until the owner has ended the rest. Call these
 * before the logins are ended: each waits for the sign-ins that complete at the moment, whose logins are ended with the
 * others then.
 */

/** Ends those of a developer. */
export async function endPendingOfDeveloper(tx: Db, developerId: string): Promise<void> {
  await voidQrLogins(tx, "developer_id", developerId);
  await deleteChallengesOf(tx, developerId);
}

/** Ends those that rest on a member's sign-in to the messenger. */
export async function endPendingOfMember(tx: Db, userId: string): Promise<void> {
  await voidQrLogins(tx, "user_id", userId);
  await deleteQrChallengesOf(tx, userId);
}
