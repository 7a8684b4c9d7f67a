import type { Db } from "../../platform/storage/schema.ts";
import { voidQrLogins } from "./qr-login-store.ts";
import { deleteChallengesOf, deleteQrChallengesOf } from "./second-factor/challenge-store.ts";

/*
 * Sign-ins to the console that have begun and not led to a login yet: codes that a member has scanned, and first steps that wait
 * for a second one. They end wherever logins end, or a thief could keep one until the owner has ended the rest.
 */

/**
 * Ends those of a developer. Call it before the logins are ended: it waits for the sign-ins that complete at the moment, whose
 * logins are ended with the others then.
 */
export async function endPendingOfDeveloper(tx: Db, developerId: string): Promise<void> {
  await voidQrLogins(tx, "developer_id", developerId);
  await deleteChallengesOf(tx, developerId);
}

/**
 * Ends those that rest on a member's sign-in to the messenger, and the logins that they have led to. Waits for those that
 * complete at the moment, which hold the member's login (`lockSignIn`).
 */
export async function endConsoleOfMember(tx: Db, userId: string): Promise<void> {
  await tx
    .updateTable("member_logins")
    .set((eb) => ({ refresh_hash: eb.ref("refresh_hash") }))
    .where("user_id", "=", userId)
    .execute();
  await voidQrLogins(tx, "user_id", userId);
  await deleteQrChallengesOf(tx, userId);
  await tx.deleteFrom("console_logins").where("user_id", "=", userId).execute();
}
